//! Play on a game that has everything: with all steps switched off it is minimax; with each of them
//! the nodes are pinned.

use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, MoveList, PlayTree};
use plyground_core::value::{LEAST_MATE, Value, Window, mate_from_root};
use plyground_search::play::{
    BoundKind, CHECK_INTERVAL, PlayControl, PlayDriver, PlayHistory, PlayIteration, PlayLine,
    PlayOutcome, PlayRequest, PlayScheme, PlaySwitches, think,
};
use plyground_search::table::{TableSize, TranspositionTable};

use crate::maze::Maze;

/// Counts what it is told, and stops after a number of nodes.
#[derive(Default)]
struct Heard {
    lines: u64,
    last: Option<(Value, BoundKind, Vec<u8>)>,
    nodes: u64,
    line_nodes: u64,
    most_nodes: Option<u64>,
    iterations: u32,
    most_iterations: Option<u32>,
}

impl PlayControl<u8> for Heard {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        assert!(nodes >= self.nodes);
        self.nodes = nodes;
        match self.most_nodes {
            Some(most) if nodes >= most => Err(Stop::Nodes),
            Some(most) => Ok((most - nodes).min(CHECK_INTERVAL)),
            None => Ok(CHECK_INTERVAL),
        }
    }

    fn on_line(&mut self, line: PlayLine<'_, u8>) {
        self.lines += 1;
        // Those of all threads, so that it never falls.
        assert!(line.nodes >= self.line_nodes);
        self.line_nodes = line.nodes;
        if line.number == 0 {
            self.last = Some((line.value, line.bound, line.moves.to_vec()));
        }
    }

    fn continues_after(&mut self, iteration: PlayIteration<u8>) -> bool {
        self.iterations += 1;
        assert_eq!(iteration.depth, self.iterations);
        self.most_iterations.is_none_or(|most| self.iterations < most)
    }
}

struct Case {
    maze: Maze,
    switches: PlaySwitches,
    driver: PlayDriver,
    depth: u32,
    lines: usize,
    helpers: usize,
}

impl Case {
    fn new(maze: Maze, switches: PlaySwitches, depth: u32) -> Case {
        Case { maze, switches, driver: PlayDriver::Pvs, depth, lines: 1, helpers: 0 }
    }

    fn run(&self, heard: &mut Heard) -> PlayOutcome<u8> {
        let table = TranspositionTable::new(TableSize::of_entries(1 << 12)).unwrap();
        let history = PlayHistory::new(Maze::HISTORY_SIZE);
        let mut moves = <Maze as GameTree>::Moves::default();
        self.maze.moves(&self.maze.root(), &mut moves);
        let moves: Vec<u8> = (0..moves.len()).map(|i| moves.at(i)).collect();
        let request = PlayRequest {
            switches: self.switches,
            driver: self.driver,
            depth: self.depth,
            lines: self.lines,
            moves: &moves,
            game: &[],
        };
        think(&self.maze, &table, &history, self.helpers, request, heard)
    }
}

/// The mazes whose root has something to choose from.
fn mazes() -> impl Iterator<Item = Maze> {
    (0..).map(Maze::new).filter(|maze| {
        let mut moves = <Maze as GameTree>::Moves::default();
        maze.moves(&maze.root(), &mut moves);
        moves.len() > 2
    })
}

/// The value by the definition: repetitions below the root, drawn positions, mates from the root.
fn minimax(maze: &Maze, path: &mut Vec<u64>, node: &<Maze as GameTree>::Node, depth: u32) -> Value {
    let ply = path.len() - 1;
    let last = path[ply];
    let reach = (maze.reversible(node) as usize).min(ply);
    let comes_again = (4..=reach).step_by(2).any(|back| back < ply && path[ply - back] == last);
    if ply > 0 && (comes_again || maze.is_drawn(node)) {
        return 0;
    }
    let mut moves = <Maze as GameTree>::Moves::default();
    if depth > 0 {
        maze.moves(node, &mut moves);
    }
    let values = (0..moves.len()).map(|i| {
        let child = maze.child(node, moves.at(i));
        path.push(maze.key(&child));
        let value = -minimax(maze, path, &child, depth - 1);
        path.pop();
        value
    });
    let best = values.max();
    let horizon = |window: Window| match depth {
        0 => maze.quiesce_in_play(node, window, &mut 0),
        _ => maze.evaluate(node),
    };
    best.unwrap_or_else(|| mate_from_root(horizon(Window::FULL), ply as u32))
}

#[test]
fn without_its_steps_play_is_minimax() {
    for (number, maze) in mazes().take(60).enumerate() {
        let depth = 1 + number as u32 % 6;
        let root = maze.root();
        let value = minimax(&maze, &mut vec![maze.key(&root)], &root, depth);
        for (driver, aspiration, staged) in [
            (PlayDriver::Pvs, false, true),
            (PlayDriver::Pvs, true, false),
            (PlayDriver::MtdF, false, true),
        ] {
            let switches =
                PlaySwitches { aspiration, staged_move_generation: staged, ..PlaySwitches::NONE };
            let case = Case { driver, ..Case::new(maze.clone(), switches, depth) };
            let mut heard = Heard::default();
            let outcome = case.run(&mut heard);
            let best = &outcome.moves[0];
            assert_eq!(best.value, value, "maze {number} to depth {depth}, {driver:?}");
            // A mate that no deeper search can shorten ends the search.
            let decided = value.abs() >= LEAST_MATE;
            assert!(outcome.depth == depth || decided && outcome.depth < depth);
            assert_eq!(outcome.stopped, None);
            let child = maze.child(&root, best.mv);
            let path = &mut vec![maze.key(&root), maze.key(&child)];
            assert_eq!(-minimax(&maze, path, &child, depth - 1), value, "maze {number}");
            assert_eq!(heard.last.as_ref().map(|(value, ..)| *value), Some(value));
            assert_eq!(best.line.first(), Some(&best.mv));
            assert_eq!(heard.iterations, outcome.depth);
        }
    }
}

/// All steps; each of them left out; each of them alone.
fn switches() -> Vec<(String, PlaySwitches)> {
    let mut all = vec![("all".into(), PlaySwitches::ALL), ("none".into(), PlaySwitches::NONE)];
    macro_rules! each {
        ($($name:ident),*) => {$(
            let without = PlaySwitches { $name: false, ..PlaySwitches::ALL };
            all.push((format!("without {}", stringify!($name)), without));
            let mut alone = PlaySwitches { table: true, ..PlaySwitches::NONE };
            alone.$name = true;
            all.push((format!("with {}", stringify!($name)), alone));
        )*};
    }
    each!(
        table,
        quiescence,
        staged_move_generation,
        null_move,
        multi_probcut,
        late_move_reductions,
        futility,
        reverse_futility,
        razoring,
        late_move_pruning,
        see_pruning,
        check_extension,
        one_reply_extension,
        mate_threats,
        singular_extension,
        correction_history,
        internal_iterative_reduction,
        aspiration
    );
    all.push(("full width".into(), PlaySwitches::ALL.full_width()));
    all
}

const PINNED: &str = include_str!("play.txt");

/// What is found with each set of steps: nodes, the deepest ply, lines, the sum of values.
fn counted() -> String {
    let mut text = String::from("# steps, driver, lines: nodes, deepest plies, lines, values\n");
    for (name, switches) in switches() {
        for (driver, lines) in [(PlayDriver::Pvs, 1), (PlayDriver::MtdF, 1), (PlayDriver::Pvs, 3)] {
            let mut sums = [0_i64; 4];
            for (number, maze) in mazes().skip(100).take(6).enumerate() {
                let maze = if number % 2 == 0 { maze } else { maze.with_forecasts() };
                let case = Case { driver, lines, ..Case::new(maze, switches, 8) };
                let mut heard = Heard::default();
                let outcome = case.run(&mut heard);
                sums[0] += outcome.nodes as i64;
                sums[1] += i64::from(outcome.deepest);
                sums[2] += heard.lines as i64;
                sums[3] += i64::from(outcome.moves[0].value) * (number as i64 + 1);
            }
            let [nodes, deepest, told, values] = sums;
            text += &format!("{name}, {driver:?}, {lines}: {nodes} {deepest} {told} {values}\n");
        }
    }
    text
}

#[test]
fn every_step_is_pinned() {
    let found = counted();
    let changed: Vec<&str> =
        found.lines().filter(|line| !PINNED.lines().any(|pinned| pinned == *line)).collect();
    assert!(
        changed.is_empty() && found.lines().count() == PINNED.lines().count(),
        "lines that are not in play.txt; if the change is meant, the file becomes:\n{found}\n\
         changed:\n{}",
        changed.join("\n")
    );
    // Every step does something on this game.
    let line = |name: &str| {
        let start = format!("{name}, Pvs, 1: ");
        found.lines().find_map(|line| line.strip_prefix(start.as_str())).map(str::to_owned)
    };
    for (name, _) in switches().iter().filter(|(name, _)| name.starts_with("without ")) {
        assert_ne!(line(name), line("all"), "{name}");
    }
}

/// A search ends where its control ends it, and several threads find what one finds.
#[test]
fn play_ends_when_it_is_told() {
    for (number, maze) in mazes().skip(200).take(6).enumerate() {
        let schemes = PlayScheme::ALL.into_iter().flat_map(|scheme| [(scheme, 1), (scheme, 3)]);
        for (scheme, helpers) in std::iter::once((PlayScheme::Abdada, 0)).chain(schemes) {
            let all = PlaySwitches { scheme, ..PlaySwitches::ALL };
            let case = Case { helpers, ..Case::new(maze.clone(), all, 20) };
            let mut heard = Heard { most_nodes: Some(400), ..Heard::default() };
            let outcome = case.run(&mut heard);
            assert_eq!(outcome.stopped, Some(Stop::Nodes));
            assert!(outcome.nodes >= 400 && (helpers > 0 || outcome.nodes < 400 + 64));
            assert!(outcome.depth < 20 && outcome.moves.len() > 2);
            let mut heard = Heard { most_iterations: Some(3), ..Heard::default() };
            assert_eq!(case.run(&mut heard).depth, 3);
            // Full width, without what differs from path to path: the threads' value is the one's.
            let alone = Case::new(maze.clone(), PlaySwitches::NONE, 6);
            let none = PlaySwitches { scheme, ..PlaySwitches::NONE };
            let together = Case { helpers, ..Case::new(maze.clone(), none, 6) };
            let value = alone.run(&mut Heard::default()).moves[0].value;
            let found = together.run(&mut Heard::default()).moves[0].value;
            assert_eq!(found, value, "maze {number} by {scheme:?} with {helpers} helpers");
        }
    }
}
