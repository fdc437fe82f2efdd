//! The story of a search: a sentence for every step, and the reason for every cut-off.
//!
//! A cut-off is explained by what the visited leaves prove, f⁻ and f⁺ of each node: MAX node J is worth at
//! least f⁻(J), and somewhere above MIN can already hold the value to that. Where the leaves do not prove
//! it, the window of the call is the reason: the search asked for no more.

use plyground_core::value::{Bounds, INFINITY, ShownValue, Value, Window};
use plyground_search::{Event, OpenStatus};
use serde_json::{Map, Value as Json, json};

use super::nodes::Nodes;
use super::recorder::{KeptOpen, RecordedStep, Recorder};
use super::shown;

/// What the steps so far have shown of every node.
struct Story<'a> {
    nodes: &'a Nodes,
    unit: Value,
    /// f⁻ and f⁺ by the visited leaves and by what a memory answered.
    proved: Vec<Bounds>,
    /// What is known of a node itself, whatever its children say.
    own: Vec<Bounds>,
    /// The step at which a node was looked at last; 0 if never. Steps count from 1.
    touched: Vec<u32>,
    /// Was the node cut off, by a step that has been told?
    cut: Vec<bool>,
    /// Is everything below the node known to be without effect?
    dead: Vec<bool>,
    /// The nodes that depth-first processes are in: process, node, first step, what is asked.
    entered: Vec<(u32, u32, u32, Question)>,
    now: u32,
    /// With deepening, the depth of the iteration: what lies below it is not there yet.
    horizon: u32,
}

/// What a depth-first search wants to know of a node.
#[derive(Clone, Copy)]
enum Question {
    Window(Window),
    /// Scout's test against a value.
    Test(Value),
}

/// All steps as JSON objects: `e` the event, `n` the node, `t` the sentence; `c` leaves, visits and
/// memory so far; `cut` the nodes that are cut off by it, and `why`.
pub(super) fn tell(
    nodes: &Nodes,
    recorder: &Recorder,
    unit: Value,
    value: Option<Value>,
) -> Vec<Json> {
    let asks = |step: &RecordedStep| matches!(step.event, Event::Leave { .. } | Event::Test { .. });
    let is_depth_first = recorder.steps.iter().any(asks);
    let mut story = Story {
        nodes,
        unit,
        proved: vec![Bounds::UNKNOWN; nodes.len()],
        own: vec![Bounds::UNKNOWN; nodes.len()],
        touched: vec![0; nodes.len()],
        cut: vec![false; nodes.len()],
        dead: vec![false; nodes.len()],
        entered: Vec::new(),
        now: 0,
        horizon: u32::MAX,
    };
    let mut told = Vec::with_capacity(recorder.steps.len());
    for (number, step) in recorder.steps.iter().enumerate() {
        story.now = number as u32 + 1;
        let is_last = number + 1 == recorder.steps.len();
        let counts = if is_last { recorder.last_counts() } else { step.counts };
        let mut object = story.step(recorder, step, is_depth_first);
        object.insert("c".into(), json!([counts.leaves, counts.visits, counts.memory]));
        if is_last && !recorder.is_cut_short() {
            story.end(&mut object, value);
        }
        told.push(Json::Object(object));
    }
    told
}

impl Story<'_> {
    fn shown(&self, value: Value) -> String {
        shown(value, self.unit)
    }

    fn step(
        &mut self,
        recorder: &Recorder,
        step: &RecordedStep,
        is_depth_first: bool,
    ) -> Map<String, Json> {
        let at = match &step.event {
            Event::Taken { state, .. } => self.nodes.at(recorder.path_of(state)),
            _ => self.nodes.at(step.at),
        };
        let mut cuts = Vec::new();
        if is_depth_first {
            self.leave_all_but(step.process, at, &mut cuts);
        }
        let (name, side) = (self.nodes.name(at), self.nodes.side(at));
        let mut object = Map::new();
        let (kind, sentence) = match &step.event {
            Event::Evaluated { value } => {
                self.touch(at);
                object.insert("v".into(), json!(value));
                let before = self.proved[self.nodes.parent[at as usize] as usize];
                let top = self.learn(at, Bounds::exact(*value));
                if !is_depth_first {
                    self.find_dead(top, &mut cuts);
                }
                let then = self.then(at, before);
                ("leaf", format!("Leaf {name} is worth {}{then}.", self.shown(*value)))
            }
            Event::Iteration { depth } => {
                self.begin(*depth);
                object.insert("d".into(), json!(depth));
                ("iteration", format!("The search to depth {depth} begins at the root."))
            }
            Event::Pass { window } => {
                object.insert("w".into(), self.window(*window));
                let (a, b) = (self.shown(window.alpha), self.shown(window.beta));
                let asks = if window.beta.checked_sub(window.alpha) == Some(1) {
                    format!(": is the value at least {b}?")
                } else {
                    ".".into()
                };
                ("call", format!("The driver calls the search with the window ({a}, {b}){asks}"))
            }
            Event::Enter { window } => {
                self.touch(at);
                self.entered.push((step.process, at, self.now, Question::Window(*window)));
                object.insert("w".into(), self.window(*window));
                ("enter", format!("{side} {name} is entered with {}.", self.asked(*window)))
            }
            Event::Test { than } => {
                self.touch(at);
                self.entered.push((step.process, at, self.now, Question::Test(*than)));
                object.insert("v".into(), json!(than));
                let more = if self.nodes.is_max(at) { "more" } else { "less" };
                let than = self.shown(*than);
                ("test", format!("Scout tests whether {side} {name} is worth {more} than {than}."))
            }
            Event::Answered { bounds } => {
                self.touch(at);
                let _ = self.learn(at, *bounds);
                object.insert("b".into(), self.bounds(*bounds));
                ("answered", format!("The memory answers for {name}: {}.", self.known(*bounds)))
            }
            Event::Stored { bounds } => {
                object.insert("b".into(), self.bounds(*bounds));
                ("stored", format!("The memory keeps for {name}: {}.", self.known(*bounds)))
            }
            Event::Leave { value } => {
                object.insert("v".into(), json!(value));
                self.leave(step.process, at, *value, &mut cuts);
                ("leave", format!("{side} {name} returns {}.", self.shown(*value)))
            }
            Event::Taken { state, action } => {
                self.touch(at);
                let status = status(state.status);
                object.insert("v".into(), json!(state.merit));
                object.insert("s".into(), json!(status));
                let merit = ShownValue(state.merit);
                let of = if self.children(at).is_empty() { "leaf" } else { side };
                ("taken", format!("First of OPEN: {of} {name}, {status}, merit {merit}: {action}."))
            }
            Event::Resumed { merit } => {
                object.insert("v".into(), json!(merit));
                let merit = self.shown(*merit);
                ("resumed", format!("{side} {name} pushes its next partition with merit {merit}."))
            }
            Event::Activity { active } => {
                object.insert("s".into(), json!(if *active { "ACTIVE" } else { "INACTIVE" }));
                let why = if *active { "ACTIVE again" } else { "INACTIVE, for want of memory" };
                ("activity", format!("{name} becomes {why}."))
            }
            Event::Judged { value } => {
                self.touch(at);
                object.insert("v".into(), json!(value));
                let worth = self.shown(*value);
                ("judged", format!("{side} {name} seems to be worth {worth} at first sight."))
            }
            Event::Question { at_least } => {
                let value = self.shown(*at_least);
                ("question", format!("The search asks: is the root worth at least {value}?"))
            }
            Event::Chosen { why } => {
                self.touch(at);
                ("chosen", format!("{side} {name} is chosen: {why}."))
            }
            Event::Proof { proof, disproof } => {
                let number = |n: &Option<u32>| n.map_or("∞".into(), |n| n.to_string());
                let (proof, disproof) = (number(proof), number(disproof));
                object.insert("s".into(), json!(format!("{proof}/{disproof}")));
                let numbers = format!("proof number {proof}, disproof number {disproof}");
                ("proof", format!("{side} {name} has {numbers}."))
            }
            Event::Backed { value, visits } => {
                object.insert("v".into(), json!(value));
                let worth = self.shown(*value);
                let times =
                    if *visits == 1 { "1 visit".into() } else { format!("{visits} visits") };
                ("backed", format!("{side} {name} is worth {worth} now, after {times}."))
            }
            Event::Turn { process } => ("turn", format!("Process {process} goes on.")),
            Event::Tick { count } => ("tick", format!("Terminal count {count}.")),
            Event::Spawned { process, children: (count, _) } => {
                let children = if *count == 1 { "a child" } else { "children" };
                object.insert("q".into(), json!(process));
                ("spawned", format!("Process {process} is given {children} of {name}."))
            }
            Event::Killed { process } => {
                object.insert("q".into(), json!(process));
                ("killed", format!("Process {process} is killed: its work is not needed."))
            }
            Event::Waits => ("waits", "The process waits for others.".into()),
            Event::Open { .. } => ("open", "OPEN changes.".into()),
        };
        object.insert("e".into(), json!(kind));
        object.insert("n".into(), json!(at));
        object.insert("t".into(), json!(sentence));
        if step.process > 0 {
            object.insert("p".into(), json!(step.process));
        }
        if !step.open.is_empty() {
            let lists: Vec<Json> = step.open.iter().map(|open| self.open(recorder, open)).collect();
            object.insert("open".into(), json!(lists));
        }
        add_cuts(&mut object, cuts);
        object
    }

    /// An OPEN list as the page shows it.
    fn open(&self, recorder: &Recorder, open: &KeptOpen) -> Json {
        let states = open.states.iter().map(|state| {
            let at = self.nodes.at(recorder.path_of(state));
            json!([at, status(state.status), finite(state.merit), state.active])
        });
        json!({ "p": open.process, "states": states.collect::<Vec<Json>>(), "all": open.all })
    }

    /// A new iteration: nothing is known of any node, and its leaves are where it ends.
    fn begin(&mut self, depth: u32) {
        self.proved.fill(Bounds::UNKNOWN);
        self.own.fill(Bounds::UNKNOWN);
        self.touched.fill(0);
        self.cut.fill(false);
        self.dead.fill(false);
        self.entered.clear();
        self.horizon = depth;
    }

    /// The children of a node, as far as the search goes now.
    fn children(&self, node: u32) -> std::ops::Range<u32> {
        let first = self.nodes.first[node as usize];
        let below = self.nodes.depth[node as usize] < self.horizon;
        if below { self.nodes.children(node) } else { first..first }
    }

    fn touch(&mut self, node: u32) {
        let mut at = node;
        while std::mem::replace(&mut self.touched[at as usize], self.now) != self.now && at != 0 {
            at = self.nodes.parent[at as usize];
        }
        self.cut[node as usize] = false;
    }

    /// Sets what is known of a node, and what follows for the nodes above it; returns the highest node
    /// that it changed.
    fn learn(&mut self, node: u32, bounds: Bounds) -> u32 {
        let own = &mut self.own[node as usize];
        own.lower = own.lower.max(bounds.lower);
        own.upper = own.upper.min(bounds.upper);
        let mut at = node;
        let mut top = node;
        loop {
            let proved = self.proof(at);
            if std::mem::replace(&mut self.proved[at as usize], proved) == proved && at != node {
                break;
            }
            top = at;
            if at == 0 {
                break;
            }
            at = self.nodes.parent[at as usize];
        }
        top
    }

    fn proof(&self, node: u32) -> Bounds {
        let own = self.own[node as usize];
        let children = self.children(node);
        if children.is_empty() {
            return own;
        }
        let below = children.map(|child| self.proved[child as usize]);
        let is_max = self.nodes.is_max(node);
        let worst = if is_max { -INFINITY } else { INFINITY };
        let start = Bounds { lower: worst, upper: worst };
        let below = below.fold(start, |all, child| match is_max {
            true => Bounds { lower: all.lower.max(child.lower), upper: all.upper.max(child.upper) },
            false => {
                Bounds { lower: all.lower.min(child.lower), upper: all.upper.min(child.upper) }
            }
        });
        Bounds { lower: own.lower.max(below.lower), upper: own.upper.min(below.upper) }
    }

    /// What a leaf has changed at its parent, in words.
    fn then(&self, leaf: u32, before: Bounds) -> String {
        if leaf == 0 {
            return String::new();
        }
        let parent = self.nodes.parent[leaf as usize];
        let now = self.proved[parent as usize];
        if now == before {
            return String::new();
        }
        format!(": {} {} is {}", self.nodes.side(parent), self.nodes.name(parent), self.known(now))
    }

    fn known(&self, Bounds { lower, upper }: Bounds) -> String {
        let (low, high) = (self.shown(lower), self.shown(upper));
        match (lower > -INFINITY, upper < INFINITY) {
            (true, true) if lower == upper => format!("exactly {low}"),
            (true, true) => format!("between {low} and {high}"),
            (true, false) => format!("at least {low}"),
            (false, true) => format!("at most {high}"),
            (false, false) => "not yet bounded".into(),
        }
    }

    fn asked(&self, window: Window) -> String {
        let (a, b) = (self.shown(window.alpha), self.shown(window.beta));
        let reason = match (window.alpha > -INFINITY, window.beta < INFINITY) {
            (false, false) => String::new(),
            (true, false) => format!(": only more than {a} would matter"),
            (false, true) => format!(": only less than {b} would matter"),
            (true, true) if window.beta - window.alpha == 1 => {
                format!(": the only question is whether it is worth at least {b}")
            }
            (true, true) => format!(": only values between {a} and {b} matter"),
        };
        format!("the window ({a}, {b}){reason}")
    }

    fn window(&self, window: Window) -> Json {
        json!([finite(window.alpha), finite(window.beta)])
    }

    fn bounds(&self, bounds: Bounds) -> Json {
        json!([finite(bounds.lower), finite(bounds.upper)])
    }

    /// A depth-first process is at `at` now: it has left the nodes that are not above it. Scout's tests
    /// have no other sign of that.
    fn leave_all_but(&mut self, process: u32, at: u32, cuts: &mut Vec<(Vec<u32>, String)>) {
        while let Some(place) = self.entered.iter().rposition(|entry| entry.0 == process) {
            let (_, node, since, question) = self.entered[place];
            if self.is_above(node, at) {
                break;
            }
            self.entered.remove(place);
            if let Question::Test(than) = question {
                let skipped = self.skipped(node, since);
                let more = if self.nodes.is_max(node) { "more" } else { "less" };
                let why = format!(
                    "One child is enough to show that {} is worth {more} than {}: {} need not be \
                     looked at.",
                    self.nodes.name(node),
                    self.shown(than),
                    self.nodes.names(&skipped),
                );
                self.cut_off(skipped, why, cuts);
            }
        }
    }

    fn is_above(&self, node: u32, below: u32) -> bool {
        let mut at = below;
        while self.nodes.depth[at as usize] > self.nodes.depth[node as usize] {
            at = self.nodes.parent[at as usize];
        }
        at == node
    }

    /// The children of a node that have not been looked at since a step.
    fn skipped(&self, node: u32, since: u32) -> Vec<u32> {
        let is_skipped = |child: &u32| self.touched[*child as usize] < since;
        self.children(node).filter(is_skipped).collect()
    }

    fn leave(&mut self, process: u32, node: u32, value: Value, cuts: &mut Vec<(Vec<u32>, String)>) {
        let entry = |entry: &(u32, u32, u32, Question)| entry.0 == process && entry.1 == node;
        let Some(place) = self.entered.iter().rposition(entry) else { return };
        let (_, _, since, question) = self.entered.remove(place);
        let skipped = self.skipped(node, since);
        let Question::Window(window) = question else { return };
        if skipped.is_empty() {
            return;
        }
        let is_max = self.nodes.is_max(node);
        let why = match is_max {
            true if value >= window.beta => self.reason(node, value, window.beta, &skipped),
            false if value <= window.alpha => self.reason(node, value, window.alpha, &skipped),
            _ => format!(
                "{} need not be looked at: other processes or the memory have answered.",
                self.nodes.names(&skipped)
            ),
        };
        self.cut_off(skipped, why, cuts);
    }

    /// Why `skipped`, children of `node`, are cut off where the node is known to reach `value`, and
    /// `limit` is enough.
    fn reason(&self, node: u32, value: Value, limit: Value, skipped: &[u32]) -> String {
        let (side, name) = (self.nodes.side(node), self.nodes.name(node));
        let is_max = self.nodes.is_max(node);
        let (least, other) = if is_max { ("least", "MIN") } else { ("most", "MAX") };
        let names = self.nodes.names(skipped);
        let reaches = format!("{side} {name} is worth at {least} {}", self.shown(value));
        match self.rival(node, limit) {
            Some(above) => {
                let deep = self.nodes.depth[node as usize] - self.nodes.depth[above as usize] > 1;
                let deep = if deep { " (a deep cut-off)" } else { "" };
                let proved = self.proved[above as usize];
                let (can, what) = match is_max {
                    true => ("hold the value to", proved.upper),
                    false => ("get", proved.lower),
                };
                format!(
                    "{reaches}, but {other} can already {can} {} at {}{deep}: {name} will not be \
                     played, so {names} cannot matter.",
                    self.shown(what),
                    self.nodes.place(above),
                )
            }
            None => format!(
                "{reaches}, which answers the question of this window: {names} cannot change the \
                 answer."
            ),
        }
    }

    /// The nearest node above that gives the other side `limit` or better already.
    fn rival(&self, node: u32, limit: Value) -> Option<u32> {
        let is_max = self.nodes.is_max(node);
        let mut at = node;
        while at != 0 {
            at = self.nodes.parent[at as usize];
            let proved = self.proved[at as usize];
            let gives = if is_max { proved.upper <= limit } else { proved.lower >= limit };
            if self.nodes.is_max(at) != is_max && gives {
                return Some(at);
            }
        }
        None
    }

    fn cut_off(&mut self, skipped: Vec<u32>, why: String, cuts: &mut Vec<(Vec<u32>, String)>) {
        let never = |node: &u32| self.touched[*node as usize] == 0 && !self.cut[*node as usize];
        let new: Vec<u32> = skipped.into_iter().filter(never).collect();
        if new.is_empty() {
            return;
        }
        for node in &new {
            self.cut[*node as usize] = true;
        }
        cuts.push((new, why));
    }

    /// Finds the nodes below `top` that can no longer matter, by what is proved.
    fn find_dead(&mut self, top: u32, cuts: &mut Vec<(Vec<u32>, String)>) {
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let mut at = top;
        while at != 0 {
            at = self.nodes.parent[at as usize];
            let proved = self.proved[at as usize];
            match self.nodes.is_max(at) {
                true => alpha = alpha.max(proved.lower),
                false => beta = beta.min(proved.upper),
            }
        }
        let mut waiting = vec![(top, alpha, beta)];
        while let Some((node, alpha, beta)) = waiting.pop() {
            if self.dead[node as usize] {
                continue;
            }
            let proved = self.proved[node as usize];
            let is_max = self.nodes.is_max(node);
            let (a, b) = match is_max {
                true => (alpha.max(proved.lower), beta),
                false => (alpha, beta.min(proved.upper)),
            };
            if a >= b {
                self.dead[node as usize] = true;
                let unseen = self.skipped(node, 1);
                if !unseen.is_empty() {
                    let (value, limit) = if is_max { (a, b) } else { (b, a) };
                    let why = self.reason(node, value, limit, &unseen);
                    self.cut_off(unseen, why, cuts);
                }
            }
            let seen = |child: &u32| self.touched[*child as usize] > 0;
            let below: Vec<u32> = self.children(node).filter(seen).collect();
            waiting.extend(below.into_iter().map(|child| (child, a, b)));
        }
    }

    /// What was never looked at when the search ends.
    fn end(&mut self, object: &mut Map<String, Json>, value: Option<Value>) {
        let mut unseen = Vec::new();
        for node in 0..self.nodes.len() as u32 {
            if self.touched[node as usize] > 0 || node == 0 {
                let never = |c: &u32| self.touched[*c as usize] == 0 && !self.cut[*c as usize];
                unseen.extend(self.children(node).filter(never));
            }
        }
        let found = match value {
            Some(value) => format!("the root is worth {}", self.shown(value)),
            None => "the best move is known".into(),
        };
        object.insert("end".into(), json!(format!("The search ends: {found}.")));
        if !unseen.is_empty() {
            let why = format!("It was not needed: {found} whatever it is worth.");
            let mut cuts = Vec::new();
            self.cut_off(unseen, why, &mut cuts);
            add_cuts(object, cuts);
        }
    }
}

/// Adds cut-offs to a step, with their reasons.
fn add_cuts(object: &mut Map<String, Json>, cuts: Vec<(Vec<u32>, String)>) {
    if cuts.is_empty() {
        return;
    }
    let new = cuts.into_iter().map(|(nodes, why)| json!({ "nodes": nodes, "why": why }));
    let cut = object.entry("cut").or_insert_with(|| json!([]));
    if let Json::Array(cut) = cut {
        cut.extend(new);
    }
}

fn finite(value: Value) -> Option<Value> {
    (value.abs() < INFINITY).then_some(value)
}

fn status(status: OpenStatus) -> &'static str {
    match status {
        OpenStatus::Live => "LIVE",
        OpenStatus::Solved => "SOLVED",
    }
}
