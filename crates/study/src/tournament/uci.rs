//! Engines that speak the Universal Chess Interface.

use std::time::{Duration, Instant};

use super::limit::{Clocks, MatchLimit};
use super::opponent::{Opponent, OpponentError, OpponentReply};
use super::process::{Process, drop_failed};
use plyground_core::limits::StopFlag;
use plyground_core::value::{MATE, Value};
use plyground_engine::door::AnyLine;
use plyground_engine::game::{GameError, Seat};

/// How long an engine may take to get ready: it may have to clear a large table.
pub(super) const READY_TIMEOUT: Duration = Duration::from_secs(20);
/// How long an engine may take to reply to the first command.
pub(super) const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The most options of an engine that are kept.
const MOST_OPTIONS: usize = 1000;
/// The longest name of an engine or an option, in characters.
const LONGEST_NAME: usize = 200;

/// A name that is not too long for tables and messages.
pub(super) fn shortened(name: &str) -> String {
    name.trim().chars().take(LONGEST_NAME).collect()
}

/// A guess at the problem with a program that does not reply as UCI demands.
const PERHAPS: &str = "perhaps it speaks the xboard protocol, which a match does not, or UCI only with \
                       an argument, as in \"uci:gnuchess --uci\"";

/// A running engine that speaks UCI.
pub(super) struct Uci {
    command: Vec<String>,
    options: Vec<(String, String)>,
    stop: StopFlag,
    /// `None` if the engine has to be started.
    process: Option<Process>,
    name: String,
}

impl Uci {
    /// Starts the engine and sets its options. `hash` is set if the engine has the option `Hash`.
    pub(super) fn start(
        command: Vec<String>,
        mut options: Vec<(String, String)>,
        hash: Option<usize>,
        stop: StopFlag,
    ) -> Result<Uci, OpponentError> {
        let name = command.first().cloned().unwrap_or_default();
        let mut engine = Uci { command, options: Vec::new(), stop, process: None, name };
        let known = engine.launch()?;
        let given = |options: &[(String, String)], name: &str| {
            options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        if let Some(hash) = hash
            && !given(&options, "Hash")
            && known.iter().any(|name| name.eq_ignore_ascii_case("Hash"))
        {
            options.push(("Hash".into(), hash.to_string()));
        }
        for (name, _) in &options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                let reason = format!("it has no option `{name}`; it has {known}");
                return Err(OpponentError::crash(reason));
            }
        }
        engine.options = options;
        engine.set_options()?;
        Ok(engine)
    }

    /// Starts the program; returns the names of its options.
    fn launch(&mut self) -> Result<Vec<String>, OpponentError> {
        let process = self.process.insert(Process::start(&self.command, self.stop.clone())?);
        let mut options = Vec::new();
        let name = &mut self.name;
        handshake(process, HANDSHAKE_TIMEOUT, |line| {
            if let Some(text) = line.strip_prefix("id name ") {
                *name = shortened(text);
            }
            if let Some(text) = line.strip_prefix("option name ")
                && options.len() < MOST_OPTIONS
            {
                let end = text.find(" type ").unwrap_or(text.len());
                options.push(shortened(&text[..end]));
            }
            (line == "uciok").then_some(())
        })?;
        Ok(options)
    }

    fn set_options(&mut self) -> Result<(), OpponentError> {
        let Some(process) = &mut self.process else { return Ok(()) };
        for (name, value) in &self.options {
            match value.as_str() {
                // A button has no value.
                "" => process.send(&format!("setoption name {name}"))?,
                _ => process.send(&format!("setoption name {name} value {value}"))?,
            };
        }
        ready(process)
    }

    fn running(&mut self) -> Result<&mut Process, OpponentError> {
        if self.process.is_none() {
            self.launch()?;
            self.set_options()?;
        }
        self.process.as_mut().ok_or(OpponentError::Interrupted)
    }

    fn ask(&mut self, line: &dyn AnyLine, clocks: &Clocks) -> Result<OpponentReply, OpponentError> {
        let mover = line.mover();
        let process = self.running()?;
        process.send(&position(line))?;
        let started = process.send(&go(clocks))?;
        let deadline = started + clocks.patience(mover);
        let mut info = LastInfo::default();
        let (came, best) = process.find(deadline, |came, line| {
            info.read(line);
            let best = line.strip_prefix("bestmove")?;
            Some((came, best.split_whitespace().next().unwrap_or("").to_owned()))
        })?;
        // Some engines write a promotion with a capital letter.
        let mv = line
            .read_move(&best.to_ascii_lowercase())
            .map_err(|error| OpponentError::illegal(illegal(&best, &error)))?;
        let spent = came.saturating_duration_since(started);
        Ok(OpponentReply { mv: Some(mv), spent, value: info.value, depth: info.depth })
    }
}

impl Opponent for Uci {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, _: &dyn AnyLine) -> Result<(), OpponentError> {
        let begun = self.running().and_then(|process| {
            process.send("ucinewgame")?;
            ready(process)
        });
        drop_failed(&mut self.process, begun)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        clocks: &Clocks,
    ) -> Result<OpponentReply, OpponentError> {
        let answer = self.ask(line, clocks);
        drop_failed(&mut self.process, answer)
    }
}

/// Sends `uci` to a program and passes its lines to `read` until that returns something. A program that
/// does not know the command, or does not reply, is refused with a guess at its protocol.
pub(super) fn handshake<T>(
    process: &mut Process,
    patience: Duration,
    mut read: impl FnMut(&str) -> Option<T>,
) -> Result<T, OpponentError> {
    process.send("uci")?;
    let reply = process.find(Instant::now() + patience, |_, line| match read(line) {
        None => is_refusal(line).then(|| Err(line.to_owned())),
        found => found.map(Ok),
    });
    match reply {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(line)) => {
            let perhaps = if line.starts_with('?') { "perhaps it speaks GTP" } else { PERHAPS };
            let line: String = line.chars().take(60).collect();
            Err(OpponentError::crash(format!("it answers `uci` with `{line}`; {perhaps}")))
        }
        Err(error) => {
            Err(error.with_timeout_reason(&format!("it does not answer `uci`; {PERHAPS}")))
        }
    }
}

/// Does this reply say that `uci` is not a command? Some programs take it for a move, and GTP programs
/// reply with a question mark.
fn is_refusal(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let last = line.split(|c: char| !c.is_ascii_alphanumeric()).rfind(|word| !word.is_empty());
    let complains = ["unknown", "illegal", "invalid", "error"].iter().any(|w| line.contains(w));
    line.starts_with('?') || complains && last == Some("uci")
}

fn ready(process: &mut Process) -> Result<(), OpponentError> {
    process.send("isready")?;
    process.find(Instant::now() + READY_TIMEOUT, |_, line| (line == "readyok").then_some(()))
}

/// What is wrong with a move, without the list of the legal ones.
pub(super) fn illegal(found: &str, error: &GameError) -> String {
    let message = error.to_string();
    let message = message.split(": expected one of").next().unwrap_or(&message);
    let message = message.trim_start_matches("line 1, column 1: ");
    if message.contains(found) { message.to_owned() } else { format!("`{found}`: {message}") }
}

fn position(line: &dyn AnyLine) -> String {
    let start = match line.is_from_start() {
        true => "startpos".to_owned(),
        false => format!("fen {}", line.start()),
    };
    let moves = line.written();
    match moves.is_empty() {
        true => format!("position {start}"),
        false => format!("position {start} moves {}", moves.join(" ")),
    }
}

fn go(clocks: &Clocks) -> String {
    match clocks.limit() {
        MatchLimit::Clock(time) => {
            let [white, black] = Seat::ALL.map(|player| clocks.left(player).as_millis());
            let increment = time.increment.as_millis();
            format!("go wtime {white} btime {black} winc {increment} binc {increment}")
        }
        MatchLimit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
        MatchLimit::Depth(depth) => format!("go depth {depth}"),
        MatchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
    }
}

/// The last value and depth that an engine has reported.
#[derive(Debug, Default, PartialEq, Eq)]
struct LastInfo {
    value: Option<Value>,
    depth: Option<u32>,
}

impl LastInfo {
    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut depth, mut value) = (None, None);
        while let Some(word) = words.next() {
            match word {
                "string" => return,
                "depth" => depth = words.next().and_then(|text| text.parse().ok()),
                // Only the best line matters.
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let (unit, number) = (words.next(), words.next());
                    let number = number.and_then(|text| text.parse::<Value>().ok());
                    value = match (unit, number) {
                        (Some("cp"), Some(number)) => Some(number.clamp(-20_000, 20_000)),
                        (Some("mate"), Some(moves @ 1..=500)) => Some(MATE - (2 * moves - 1)),
                        (Some("mate"), Some(moves @ -500..=0)) => Some(-MATE - 2 * moves),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        if value.is_some() {
            (self.value, self.depth) = (value, depth.or(self.depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::FaultKind;
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;

    #[test]
    fn values_and_depths_are_read() {
        let mut info = LastInfo::default();
        info.read("info depth 9 seldepth 12 score cp -35 nodes 100 nps 5 pv e2e4");
        assert_eq!(info, LastInfo { value: Some(-35), depth: Some(9) });
        for other in [
            "info string depth 3 score cp 7",
            "info depth 10 currmove e2e4",
            "info multipv 2 depth 10 score cp 90",
            "info depth 3 score",
            "bestmove e2e4",
            "info depth x score cp y",
        ] {
            info.read(other);
            assert_eq!(info, LastInfo { value: Some(-35), depth: Some(9) }, "{other}");
        }
        info.read("info depth 11 score mate 3");
        assert_eq!(Chess::door().value_text(info.value.unwrap()), "mate in 3");
        info.read("info depth 11 score mate -2");
        assert_eq!(Chess::door().value_text(info.value.unwrap()), "mated in 2");
    }

    #[test]
    fn refusals_are_known() {
        for line in [
            "Error (unknown command): uci",
            "Illegal move: uci",
            "White (1) : Invalid move: uci",
            "Unknown command: 'uci'.",
            "? unknown command",
        ] {
            assert!(is_refusal(line), "{line}");
        }
        for line in ["", "id name Invalid", "uciok", "Toga II 3.0 UCI", "no error in the uci part"]
        {
            assert!(!is_refusal(line), "{line}");
        }
    }

    /// A program with another protocol is distinguished from one that crashed, without a long wait.
    #[cfg(unix)]
    #[test]
    fn programs_that_do_not_speak_uci_are_refused_with_what_they_may_be() {
        let refused = |script: &str, patience| {
            let command = ["sh".into(), "-c".into(), script.into()];
            let mut process = Process::start(&command, StopFlag::new()).unwrap();
            let answered =
                handshake(&mut process, patience, |line| (line == "uciok").then_some(()));
            let Err(OpponentError::Fault(fault)) = answered else {
                panic!("{script}: {answered:?}")
            };
            fault
        };
        let long = Duration::from_secs(1000);
        let started = Instant::now();
        let answers = "echo Hello; while read -r l; do echo \"Illegal move: $l\"; done";
        let fault = refused(answers, long);
        assert!(fault.reason.contains("it answers `uci` with `Illegal move: uci`; perhaps"));
        assert!(fault.reason.contains("xboard") && fault.reason.contains("gnuchess --uci"));
        assert!(started.elapsed() < long / 2);
        let fault = refused("echo Hello; cat > /dev/null", Duration::from_millis(50));
        assert_eq!(fault.kind, FaultKind::Time);
        assert!(fault.reason.starts_with("it does not answer `uci`; perhaps"), "{}", fault.reason);
        assert!(refused("read -r l; exit 3", long).reason.contains("the engine ended"));
    }

    #[test]
    fn commands_are_written_as_uci_demands() {
        let mut line = Chess::door().start("").unwrap();
        assert_eq!(position(&*line), "position startpos");
        line.play("e2e4").unwrap();
        assert_eq!(position(&*line), "position startpos moves e2e4");
        let other = Chess::door().start(&line.position()).unwrap();
        assert!(position(&*other).starts_with("position fen rnbqkbnr/pppppppp/8/8/4P3"));
        let clocks = |limit| Clocks::new(limit, Duration::ZERO, None);
        let time = clocks(MatchLimit::Clock("2+0.02".parse().unwrap()));
        assert_eq!(go(&time), "go wtime 2000 btime 2000 winc 20 binc 20");
        assert_eq!(go(&clocks(MatchLimit::Depth(4))), "go depth 4");
        assert_eq!(go(&clocks(MatchLimit::MoveTime(READY_TIMEOUT))), "go movetime 20000");
    }
}
