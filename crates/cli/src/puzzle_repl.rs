//! `plyground play puzzle`: a sliding puzzle at the keyboard or from a pipe.
//!
//! A line is a tile to slide or a command. Hints and solutions are optimal where a search finds them
//! within its time; Ctrl-C ends the search, not the game.

use std::fmt::Write as _;
use std::io::{IsTerminal, stdin, stdout};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::console::Console;
use crate::protocol::lines::Lines;
use plyground_core::limits::{Limits, Stop};
use plyground_core::names;
use plyground_puzzles::sliding::{Shape, Tiles};
use plyground_puzzles::{Domain, Heuristic, Instance, ProblemError, ProblemStep};
use plyground_search::single_agent::{Ida, Solution, SolveOptions, SolveSpec};

/// The name that `play` knows it by.
pub(crate) const NAME: &str = "puzzle";

/// The longest search for a hint or a solution.
const PATIENCE: Duration = Duration::from_secs(20);

/// A command: its name, its argument, and what it does.
const COMMANDS: [(&str, &str, &str); 10] = [
    ("slide", "TILE", "slide a tile into the blank; the tile's number alone does it too"),
    ("shuffle", "[SEED]", "another board; the same seed gives the same one"),
    ("new", "WxH", "a board of another size, shuffled"),
    ("set", "NUMBERS", "the board with these tiles row by row, 0 for the blank"),
    ("hint", "", "the tile that an optimal solution slides next"),
    ("solve", "", "slide all tiles of an optimal solution"),
    ("undo", "", "take the last slide back"),
    ("board", "", "draw the board again"),
    ("help", "", "this list"),
    ("quit", "", "leave"),
];

pub(crate) fn run(console: &Console, from: Option<&str>, ascii: bool) -> anyhow::Result<()> {
    let live = stdin().is_terminal() && stdout().is_terminal();
    let tiles = match from {
        Some(text) => tiles_of(text).context("--from")?,
        None => Tiles::random(Shape::FIFTEEN, if live { seed_by_clock() } else { 1 }),
    };
    let mut game = PuzzleGame { tiles, slides: Vec::new(), console, drawn: live && !ascii };
    let mut input = PuzzleInput::new(live)?;
    if live {
        console.survive_interrupts();
        console.print("Bring the tiles into order, the blank first. help lists the commands.\n")?;
    }
    console.print(&game.board())?;
    while let Some(line) = input.read(console)? {
        console.clear_interrupt();
        match game.obey(line.trim()) {
            Some(answer) => console.print(&answer)?,
            None => break,
        }
    }
    console.clear_interrupt();
    Ok(())
}

/// The terminal, or a pipe.
enum PuzzleInput {
    Terminal(Box<DefaultEditor>),
    Pipe(Lines),
}

impl PuzzleInput {
    fn new(live: bool) -> anyhow::Result<PuzzleInput> {
        Ok(match live.then(DefaultEditor::new) {
            Some(Ok(editor)) => PuzzleInput::Terminal(Box::new(editor)),
            _ => PuzzleInput::Pipe(Lines::read(|_| false)?),
        })
    }

    /// The next line; `None` at the end.
    fn read(&mut self, console: &Console) -> anyhow::Result<Option<String>> {
        match self {
            PuzzleInput::Terminal(editor) => match editor.readline("puzzle> ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(Some(line))
                }
                // Ctrl-C discards the line.
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(ReadlineError::Eof) => Ok(None),
                Err(error) => Err(error.into()),
            },
            PuzzleInput::Pipe(lines) => Ok(lines.next(console).map(|line| line.text)),
        }
    }
}

fn seed_by_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}

/// Reads tiles whose shape follows from their number: a square.
fn tiles_of(text: &str) -> Result<Tiles, ProblemError> {
    let count =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).count();
    let side = (1..=8).find(|side| side * side == count);
    let side = side.ok_or(ProblemError::Count {
        found: count,
        expected: "4, 9, 16, 25 … for a square; for other shapes `new WxH`, then `set`".into(),
    })?;
    Tiles::parse(Shape::new(side, side)?, text)
}

/// A puzzle in progress.
struct PuzzleGame<'c> {
    tiles: Tiles,
    slides: Vec<u8>,
    console: &'c Console,
    /// Is the board drawn with lines?
    drawn: bool,
}

impl PuzzleGame<'_> {
    /// The answer to a line; `None` to leave.
    fn obey(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Some(String::new());
        }
        if word.parse::<u32>().is_ok() {
            return Some(self.slide(word));
        }
        let names = COMMANDS.map(|(name, ..)| name);
        let word = word.to_lowercase();
        let Some(command) = names::find(&word, names) else {
            let meant = names::did_you_mean(&word, names);
            return Some(format!("`{word}` is no command{meant}; help lists them\n"));
        };
        let takes = COMMANDS.iter().find(|(name, ..)| *name == command).map_or("", |c| c.1);
        if takes.is_empty() && !rest.is_empty() {
            return Some(format!("{command} takes nothing; `{rest}` is too much\n"));
        }
        Some(match command {
            "slide" => self.slide(rest),
            "shuffle" => match rest {
                "" => self.replace(Tiles::random(self.tiles.shape(), seed_by_clock())),
                seed => match seed.parse() {
                    Ok(seed) => self.replace(Tiles::random(self.tiles.shape(), seed)),
                    Err(_) => format!("`{seed}`: expected a seed, a whole number\n"),
                },
            },
            "new" => match format!("puzzle:{rest}").parse() {
                Ok(Domain::Sliding(shape)) => self.replace(Tiles::random(shape, seed_by_clock())),
                _ => {
                    format!("`{rest}`: expected a width and a height of 2 to 64 cells, as in 4x3\n")
                }
            },
            "set" => match Tiles::parse(self.tiles.shape(), rest) {
                Ok(tiles) => self.replace(tiles),
                Err(error) => format!("{error}\n"),
            },
            "hint" => self.hint(),
            "solve" => self.solve(),
            "undo" => match self.slides.pop() {
                Some(tile) => {
                    self.tiles.slide(tile);
                    self.board()
                }
                None => "nothing to take back\n".into(),
            },
            "board" => self.board(),
            "help" => help(),
            _ => return None,
        })
    }

    fn replace(&mut self, tiles: Tiles) -> String {
        self.tiles = tiles;
        self.slides.clear();
        self.board()
    }

    fn board(&self) -> String {
        let picture = if self.drawn { self.tiles.drawing() } else { self.tiles.picture() };
        let slides = self.slides.len();
        let state = match (self.tiles.are_in_order(), slides) {
            (true, 0) => "in order".into(),
            (true, 1) => "in order, after 1 slide".into(),
            (true, _) => format!("in order, after {slides} slides"),
            (false, _) => format!("slides: {slides}"),
        };
        format!("{picture}{state}\n")
    }

    fn slide(&mut self, text: &str) -> String {
        let movable = self.tiles.movable();
        match text.parse() {
            Ok(tile) if self.tiles.slide(tile) => {
                self.slides.push(tile);
                self.board()
            }
            _ => {
                let tiles: Vec<String> = movable.iter().map(ToString::to_string).collect();
                format!("`{text}` cannot slide; beside the blank are {}\n", tiles.join(", "))
            }
        }
    }

    /// An optimal solution from here, or what to say instead.
    fn search(&self) -> Result<Vec<u8>, String> {
        let shape = self.tiles.shape();
        let small = shape.cells() <= 16;
        let heuristic = if small { Heuristic::Pattern } else { Heuristic::LinearConflict };
        let limits =
            Limits { time: Some(PATIENCE), flag: self.console.flag(), ..Limits::default() };
        let options = SolveOptions { limits, ..SolveOptions::default() };
        let line = self.console.live_line();
        line.set_message("searching; Ctrl-C stops it …");
        let spec = SolveSpec::check(&Ida.into(), options).map_err(|error| error.to_string())?;
        let solution = Instance::Sliding(self.tiles.clone()).solve(heuristic, &spec);
        line.finish_and_clear();
        let Solution { path, stopped, lower_bound, .. } =
            solution.map_err(|error| error.to_string())?;
        let step = |step: &ProblemStep| match step {
            ProblemStep::Number(tile) => Some(*tile),
            ProblemStep::Letter(_) => None,
        };
        match stopped {
            None => Ok(path.iter().filter_map(step).collect()),
            Some(Stop::Flag) => Err(format!("stopped; it takes at least {lower_bound} slides")),
            Some(_) => {
                let seconds = PATIENCE.as_secs();
                Err(format!("none found in {seconds} s; it takes at least {lower_bound} slides"))
            }
        }
    }

    fn hint(&self) -> String {
        match self.search().as_deref() {
            Ok([]) => "the tiles are in order\n".into(),
            Ok([tile, rest @ ..]) => {
                format!("slide {tile}; {} to go, and no solution is shorter\n", rest.len() + 1)
            }
            Err(reason) => format!("{reason}\n"),
        }
    }

    fn solve(&mut self) -> String {
        match self.search() {
            Ok(path) => {
                for &tile in &path {
                    self.tiles.slide(tile);
                }
                self.slides.extend(&path);
                let tiles: Vec<String> = path.iter().map(ToString::to_string).collect();
                let count = path.len();
                format!(
                    "{}\n{count} slides, and no solution is shorter\n{}",
                    tiles.join(" "),
                    self.board()
                )
            }
            Err(reason) => format!("{reason}\n"),
        }
    }
}

fn help() -> String {
    let mut text = String::new();
    for (name, argument, what) in COMMANDS {
        let _ = writeln!(text, "{:<16} {what}", format!("{name} {argument}"));
    }
    text
}
