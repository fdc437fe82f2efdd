//! The table of commands: names, arguments, explanations and parsers.

use super::{
    Argument, Command, CommandEntry, Walk, count, file_name, load, nothing, number, optional, save,
};
use crate::cli::seconds;
use crate::repl::pace::{MOST_DEPTH, Pace, read_time};
use plyground_engine::levels::MAX_LEVEL;

/// The commands, in an order in which people may learn them.
pub(crate) const TABLE: &[CommandEntry] = &[
    CommandEntry {
        name: "help",
        also: &["?"],
        usage: "[COMMAND]",
        argument: Argument::Command,
        what: "this list, or more about one command",
        more: "",
        read: |text| Ok(Command::Help(optional(text))),
    },
    CommandEntry {
        name: "undo",
        also: &["takeback"],
        usage: "[N]",
        argument: Argument::Number,
        what: "take back your last move and the engine's answer",
        more: "undo 3 takes back three of your moves. Where both sides are yours, or none, it takes\n\
               back one move at a time. The engine then waits for you: type a move, or go.",
        read: |text| Ok(Command::Undo(count("undo", text)?)),
    },
    CommandEntry {
        name: "redo",
        also: &[],
        usage: "[N]",
        argument: Argument::Number,
        what: "play again what was taken back",
        more: "As far as undo went back, until another move is played.",
        read: |text| Ok(Command::Redo(count("redo", text)?)),
    },
    CommandEntry {
        name: "first",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "go through a game: to its beginning",
        more: "first, back, next and last show a game move by move, with its comments, and change\n\
               nothing. A move that is played ends the walk: the game goes on from there.",
        read: |text| nothing("first", text, Command::Walk(Walk::First)),
    },
    CommandEntry {
        name: "back",
        also: &["prev"],
        usage: "[N]",
        argument: Argument::Number,
        what: "a move back, or N",
        more: "",
        read: |text| Ok(Command::Walk(Walk::Back(count("back", text)?))),
    },
    CommandEntry {
        name: "next",
        also: &["forward"],
        usage: "[N]",
        argument: Argument::Number,
        what: "a move on, or N",
        more: "",
        read: |text| Ok(Command::Walk(Walk::Next(count("next", text)?))),
    },
    CommandEntry {
        name: "last",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "to the end of the game",
        more: "",
        read: |text| nothing("last", text, Command::Walk(Walk::Last)),
    },
    CommandEntry {
        name: "resign",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "give the game up",
        more: "Where both sides are yours, the side to move resigns. undo takes it back.",
        read: |text| nothing("resign", text, Command::Resign),
    },
    CommandEntry {
        name: "draw",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "offer a draw",
        more: "The engine accepts if it sees no advantage for itself. Two people agree at once.",
        read: |text| nothing("draw", text, Command::Draw),
    },
    CommandEntry {
        name: "hint",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "a good move, what it is worth, and what may follow",
        more: "The engine that you play against thinks for you: to its depth if a depth is set, else\n\
               300,000 nodes, whatever its level. Values are for the side that begins.",
        read: |text| nothing("hint", text, Command::Hint),
    },
    CommandEntry {
        name: "analyse",
        also: &["analyze"],
        usage: "[SECONDS]",
        argument: Argument::Number,
        what: "think aloud: depth, value, nodes a second, line",
        more: "Enter or Ctrl-C ends it, or the time that is given. From a pipe it ends by itself: at\n\
               the depth that is set, else after five seconds. Values are for the side that begins.",
        read: |text| match optional(text) {
            None => Ok(Command::Analyse(None)),
            Some(time) => match seconds(&time) {
                Ok(time) => Ok(Command::Analyse(Some(time))),
                Err(expected) => Err(format!("analyse {time}: {expected}")),
            },
        },
    },
    CommandEntry {
        name: "eval",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "what the evaluator sees in the position, term by term",
        more: "No search: what the position is worth at first sight.",
        read: |text| nothing("eval", text, Command::Eval),
    },
    CommandEntry {
        name: "compare",
        also: &[],
        usage: "[DEPTH]",
        argument: Argument::Number,
        what: "all algorithms on this position: leaves, nodes, time, value",
        more: "Each searches the same tree to the same depth (5 in Othello, 3 in chess) without\n\
               memory functions, and all must agree on the value. Ctrl-C ends it and keeps what is\n\
               done. `plyground compare` does the same on many positions.",
        read: |text| Ok(Command::Compare(number("compare", text, 1, 30)?)),
    },
    CommandEntry {
        name: "go",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "let the engine move for the side to move",
        more: "Also where it is your turn. An engine that plays itself goes on after a pause.",
        read: |text| nothing("go", text, Command::Go),
    },
    CommandEntry {
        name: "switch",
        also: &["side"],
        usage: "[SIDE]",
        argument: Argument::Side,
        what: "change sides; or play white, black, both or none",
        more: "both: two people play, or one sets up a game. none: the engine plays itself; Ctrl-C\n\
               makes it pause.",
        read: |text| Ok(Command::Switch(optional(text))),
    },
    CommandEntry {
        name: "engine",
        also: &[],
        usage: "[NAME]",
        argument: Argument::Engine,
        what: "play against another engine, or list them",
        more: "A name from `plyground engines`, a .toml file, or any algorithm from\n\
               `plyground algorithms`, as in engine sss or engine ps:2.",
        read: |text| Ok(Command::Engine(optional(text).map(|text| file_name(&text)))),
    },
    CommandEntry {
        name: "level",
        also: &[],
        usage: "[1..10]",
        argument: Argument::Number,
        what: "how strong the engine plays",
        more: "Level 1 has just learnt the rules; below level 10 it misjudges now and then. Level 10 is\n\
               full strength, five seconds a move. `plyground levels` lists them with their Elo, and\n\
               says which solve the end of a game of Othello exactly.",
        read: |text| {
            let level = number("level", text, 1, MAX_LEVEL.into())?;
            Ok(Command::Pace(level.map(|level| Pace::Level(level as u8, None))))
        },
    },
    CommandEntry {
        name: "seed",
        also: &[],
        usage: "[S]",
        argument: Argument::Number,
        what: "what the engine's choices follow from",
        more: "Among nearly equal moves the engine chooses as the seed has it, and so a level below 10\n\
               slips. The same seed and the same moves give the same game; new takes another seed,\n\
               unless one was given.",
        read: |text| match (text, text.parse()) {
            ("", _) => Ok(Command::Seed(None)),
            (_, Ok(seed)) => Ok(Command::Seed(Some(seed))),
            _ => Err(format!("seed: expected a whole number, found `{text}`")),
        },
    },
    CommandEntry {
        name: "depth",
        also: &[],
        usage: "[N]",
        argument: Argument::Number,
        what: "let the engine search N plies deep",
        more: "The same game is played the same way every time, unless a seed is given.",
        read: |text| Ok(Command::Pace(number("depth", text, 1, MOST_DEPTH)?.map(Pace::Depth))),
    },
    CommandEntry {
        name: "time",
        also: &["clock"],
        usage: "[S | S+I]",
        argument: Argument::Number,
        what: "let the engine think S seconds a move, or play with clocks",
        more: "time 2: two seconds for each of the engine's moves. time 300+2: both sides have 300\n\
               seconds for the game and get 2 more with every move; a side without time has lost. A level\n\
               that is set stays: level 10 is full strength.",
        read: |text| Ok(Command::Pace(optional(text).as_deref().map(read_time).transpose()?)),
    },
    CommandEntry {
        name: "moves",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "the legal moves",
        more: "",
        read: |text| nothing("moves", text, Command::Moves),
    },
    CommandEntry {
        name: "board",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "draw the board again",
        more: "",
        read: |text| nothing("board", text, Command::Board),
    },
    CommandEntry {
        name: "flip",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "turn the board round",
        more: "",
        read: |text| nothing("flip", text, Command::Flip),
    },
    CommandEntry {
        name: "history",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "the moves so far",
        more: "",
        read: |text| nothing("history", text, Command::History),
    },
    CommandEntry {
        name: "pgn",
        also: &["ggf"],
        usage: "",
        argument: Argument::Nothing,
        what: "the game as a file would keep it: PGN, or GGF for Othello",
        more: "",
        read: |text| nothing("pgn", text, Command::Record),
    },
    CommandEntry {
        name: "position",
        also: &["fen"],
        usage: "[TEXT]",
        argument: Argument::Text,
        what: "show the position as text, or go to another",
        more: "Chess: a FEN, moves, or what UCI has, as in startpos moves e2e4. Othello: 64 squares (X O -) and the side to move,\n\
               or moves such as f5d6c3. The engine waits for you: type a move, or go.",
        read: |text| Ok(Command::Position(optional(text))),
    },
    CommandEntry {
        name: "save",
        also: &[],
        usage: "FILE",
        argument: Argument::File,
        what: "keep the game (.pgn .ggf) or the position (.fen .epd .obf)",
        more: "A file that exists already is left alone: save! FILE replaces it. A game that was loaded\n\
               keeps its tags and its result as long as no move is changed.",
        read: |text| save(text, false),
    },
    CommandEntry {
        name: "save!",
        also: &[],
        usage: "FILE",
        argument: Argument::File,
        what: "the same, and replace the file if there is one",
        more: "",
        read: |text| save(text, true),
    },
    CommandEntry {
        name: "load",
        also: &["open"],
        usage: "FILE [N]",
        argument: Argument::File,
        what: "go on with a game or a position from a file",
        more: "Files in PGN, FEN, EPD, GGF, OBF, or moves; N is the number of a game in the file.\n\
               A name with blanks stands in quotes. The engine waits for you: type a move, or go;\n\
               or go through the game by first, back, next and last.",
        read: load,
    },
    CommandEntry {
        name: "game",
        also: &[],
        usage: "[GAME]",
        argument: Argument::Game,
        what: "play another game, such as chess or othello",
        more: "The game's strongest engine plays it, at the level or time that is set.",
        read: |text| Ok(Command::Game(optional(text))),
    },
    CommandEntry {
        name: "new",
        also: &[],
        usage: "",
        argument: Argument::Nothing,
        what: "begin a new game",
        more: "",
        read: |text| nothing("new", text, Command::New),
    },
    CommandEntry {
        name: "quit",
        also: &["exit", "q"],
        usage: "",
        argument: Argument::Nothing,
        what: "leave; so does Ctrl-D",
        more: "",
        read: |text| nothing("quit", text, Command::Quit),
    },
];
