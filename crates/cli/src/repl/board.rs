//! Draws the board, with a panel about the game beside it.

use std::env;
use std::fmt::Write as _;

use super::wrap::{broken, columns};
use plyground_engine::game::{Diagram, DiagramPiece, Seat, Surface};
use plyground_games::grid::Square;
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::AlphaBeta;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Letters and strokes: for pipes, or on request.
    Ascii,
    /// Symbols, but no colours.
    Symbols,
    /// Symbols on coloured squares.
    Colours,
}

impl Style {
    /// What the terminal can show, if there is one.
    pub(super) fn found(ascii: bool, terminal: bool) -> Style {
        let variable = |name: &str| env::var(name).ok().filter(|text| !text.is_empty());
        let term = variable("TERM").unwrap_or_default();
        // The text console of Linux has no symbols for pieces.
        let plain = ["dumb", "linux"].contains(&term.as_str());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
        let locale = locale.unwrap_or_else(|| "UTF-8".into()).to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        match ascii || !terminal || plain || !unicode {
            true => Style::Ascii,
            false if variable("NO_COLOR").is_some() => Style::Symbols,
            false => Style::Colours,
        }
    }

    /// The text in bold, where the terminal can show that.
    pub(super) fn strong(self, text: &str) -> String {
        match self {
            Style::Colours => format!("\x1b[1m{text}\x1b[0m"),
            _ => text.into(),
        }
    }

    /// The text without characters that the terminal cannot show.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            Style::Ascii => {
                PLAIN.iter().fold(text.into(), |text, (from, to)| text.replace(from, to))
            }
            _ => text.into(),
        }
    }
}

/// The characters of our texts that are not ASCII, with their replacements.
const PLAIN: [(&str, &str); 10] = [
    ("─", "-"),
    ("–", "-"),
    ("…", "..."),
    ("±", "+-"),
    ("≥", ">="),
    ("∞", "infinity"),
    ("⁺", "+"),
    ("⁻", "-"),
    ("αβ-CNS", "alpha-beta CNS"),
    (AlphaBeta::ENTRY.name, AlphaBeta::ENTRY.id),
];

/// The texts about the game: beside the board, or below it on a narrow terminal.
pub(super) struct SidePanel {
    /// Each side's line, in the order of [`Seat::ALL`].
    pub(super) sides: [String; 2],
    /// The lines between the two sides.
    pub(super) notes: Vec<String>,
    /// The legal moves, unless the board shows them.
    pub(super) moves: Vec<String>,
}

impl SidePanel {
    /// The lines beside the board: each side at its edge of the board, the rest between them.
    fn beside(&self, below: Seat, width: usize) -> Vec<String> {
        let [upper, lower] =
            [below.other(), below].map(|side| broken(&self.sides[side.index()], width, 4));
        let mut lines = upper;
        lines.extend(self.notes.iter().flat_map(|note| broken(note, width, 4)));
        let between = ROWS.saturating_sub(lower.len());
        lines.extend(self.listed(width, between.saturating_sub(lines.len())));
        lines.resize(between, String::new());
        lines.extend(lower);
        lines
    }

    /// The lines below the board.
    fn below(&self, below: Seat, width: usize) -> Vec<String> {
        let sides = [below.other(), below].map(|side| &self.sides[side.index()]);
        let lines = sides.into_iter().chain(&self.notes).flat_map(|line| broken(line, width, 4));
        lines.chain(self.listed(width, MOST_LINES)).collect()
    }

    /// The moves in at most this many lines; if they do not fit, the first ones and their number.
    fn listed(&self, width: usize, lines: usize) -> Vec<String> {
        let all = self.moves.len();
        let text = |count: usize| match count == all {
            true => format!("  moves: {}", self.moves.join(" ")),
            false => format!("  moves: {} ... {all} in all", self.moves[..count].join(" ")),
        };
        let mut listed = (1..=all).rev().map(|count| broken(&text(count), width, 4));
        listed.find(|listed| listed.len() <= lines).unwrap_or_default()
    }
}

/// The board's columns, and the columns that it takes with its margin.
const BOARD: usize = 30;
const BOARD_WITH_MARGIN: usize = 34;
/// The board's rows, with the letters above and below.
const ROWS: usize = 10;
/// The least and the greatest width of the panel beside the board, in columns.
const NARROWEST: usize = 44;
const WIDEST: usize = 60;
/// The most lines that the list of moves takes below the board.
const MOST_LINES: usize = 6;

/// The colours of a board, as numbers among the terminal's 256.
struct Palette {
    squares: [u8; 2],
    last: [u8; 2],
    danger: u8,
    men: [u8; 2],
    open: u8,
}

static CLOTH: Palette =
    Palette { squares: [28, 29], last: [64, 64], danger: 28, men: [16, 231], open: 120 };
static WOOD: Palette =
    Palette { squares: [94, 137], last: [64, 107], danger: 160, men: [231, 16], open: 231 };

fn palette(surface: Surface) -> &'static Palette {
    match surface {
        Surface::Cloth => &CLOTH,
        Surface::Wood => &WOOD,
    }
}

/// The sign of a side beside the board: a piece as it looks on the board.
pub(super) fn sign(surface: Surface, man: DiagramPiece, style: Style) -> String {
    let palette = palette(surface);
    match style {
        Style::Ascii => man.letter.into(),
        Style::Symbols => man.symbol.into(),
        Style::Colours => {
            coloured(palette.squares[0], palette.men[man.owner.index()], man.solid, Cells::Wide)
        }
    }
}

fn coloured(ground: u8, ink: u8, inside: char, cells: Cells) -> String {
    let right = if cells == Cells::Wide { " " } else { "" };
    format!("\x1b[48;5;{ground};38;5;{ink}m {inside}{right}\x1b[0m")
}

const COLUMNS: &str = "abcdefgh";

/// Draws the board for a terminal of `width` columns; `turned` puts the second side at the bottom.
pub(super) fn draw(
    diagram: &Diagram,
    panel: &SidePanel,
    style: Style,
    turned: bool,
    width: usize,
) -> String {
    // In Othello too the first side sits at the bottom, though its rows are numbered from the top.
    let below = if turned { Seat::Second } else { Seat::First };
    let cells = if width < BOARD { Cells::Narrow } else { Cells::Wide };
    let rows = rows(diagram, style, cells, turned);
    let room = width.saturating_sub(BOARD_WITH_MARGIN).min(WIDEST);
    let mut text = String::new();
    if room < NARROWEST {
        let legend = panel.below(below, width);
        rows.iter().chain(&legend).for_each(|line| text += &format!("{}\n", line.trim_end()));
        return text;
    }
    for (row, note) in rows.iter().zip(panel.beside(below, room)) {
        let margin = " ".repeat(BOARD_WITH_MARGIN - columns(row));
        text += &format!("{}\n", format!("{row}{margin}{note}").trim_end());
    }
    text
}

/// A game without a diagram: its picture as text, and the panel below it.
pub(super) fn draw_picture(picture: &str, panel: &SidePanel, width: usize) -> String {
    let picture = picture.lines().map(|line| format!("  {line}"));
    let lines = picture.chain(panel.below(Seat::First, width));
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

/// How wide the squares are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cells {
    /// Three columns, with room for a mark on both sides.
    Wide,
    /// Two columns, for terminals that are narrower than the usual board.
    Narrow,
}

/// The board alone, with the letters of its columns above and below.
fn rows(diagram: &Diagram, style: Style, cells: Cells, turned: bool) -> Vec<String> {
    let letters: Box<dyn Iterator<Item = char>> =
        if turned { Box::new(COLUMNS.chars().rev()) } else { Box::new(COLUMNS.chars()) };
    let (margin, after) = match cells {
        Cells::Wide => ("  ", " "),
        Cells::Narrow => ("", ""),
    };
    let letters: String = letters.map(|letter| format!(" {letter}{after}")).collect();
    let letters = format!("{margin}  {letters}");
    let mut rows = vec![letters.clone()];
    for line in 0..8 {
        let row = if diagram.upward != turned { 7 - line } else { line };
        let mut text = format!("{margin}{} ", row + 1);
        for place in 0..8 {
            let column = if turned { 7 - place } else { place };
            let Some(square) = Square::at(column, row) else { continue };
            text.push_str(&cell(diagram, square, style, cells));
        }
        let _ = write!(text, " {}", row + 1);
        rows.push(text);
    }
    rows.push(letters);
    rows
}

/// The text of a square.
fn cell(diagram: &Diagram, square: Square, style: Style, cells: Cells) -> String {
    let palette = palette(diagram.surface);
    let (man, open) = (diagram.piece(square), diagram.open.contains(square));
    let last = diagram.last.contains(square);
    // A narrow square has its mark before the piece alone.
    let [left, right] = match (last, cells) {
        (true, Cells::Wide) => ["[", "]"],
        (true, Cells::Narrow) => [">", ""],
        (false, Cells::Wide) => [" ", " "],
        (false, Cells::Narrow) => [" ", ""],
    };
    match style {
        Style::Ascii => {
            let inside = man.map_or(if open { '.' } else { '-' }, |man| man.letter);
            format!("{left}{inside}{right}")
        }
        Style::Symbols => {
            let inside = man.map_or(if open { '∗' } else { '·' }, |man| man.symbol);
            format!("{left}{inside}{right}")
        }
        Style::Colours => {
            let shade = (square.column() + square.row()) % 2;
            let ground = match (diagram.danger.contains(square), last) {
                (true, _) => palette.danger,
                (_, true) => palette.last[shade],
                _ => palette.squares[shade],
            };
            let inside = man.map_or(if open { '·' } else { ' ' }, |man| man.solid);
            let ink = man.map_or(palette.open, |man| palette.men[man.owner.index()]);
            coloured(ground, ink, inside, cells)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    const WIDE: usize = 78;

    fn at_width<G: Game>(moves: &[&str], style: Style, turned: bool, width: usize) -> String {
        let mut line = G::door().start("").unwrap();
        for text in moves {
            let mv = line.typed_move(text).unwrap();
            line.play(&mv).unwrap();
        }
        let moves = "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 ".repeat(3);
        let panel = SidePanel {
            sides: ["  one".into(), "  two".into()],
            notes: vec!["  a note of some length, which is broken where it must be".into()],
            moves: moves.split_whitespace().map(String::from).collect(),
        };
        draw(&line.diagram().unwrap(), &panel, style, turned, width)
    }

    fn drawn<G: Game>(moves: &[&str], style: Style, turned: bool) -> String {
        at_width::<G>(moves, style, turned, WIDE)
    }

    #[test]
    fn othello_in_ascii() {
        let expected = "     a  b  c  d  e  f  g  h         two
  1  -  -  -  -  -  -  -  -  1      a note of some length, which is broken
  2  -  -  -  -  -  -  -  -  2        where it must be
  3  -  -  -  -  -  -  -  -  3      moves: Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4
  4  -  -  -  O  X  .  -  -  4        d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3
  5  -  -  -  X  X [X] -  -  5        Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3
  6  -  -  -  .  -  .  -  -  6        f4 g3 g4 h3 h4 Na3 Nc3 Nf3 Nh3 a3 a4 b3
  7  -  -  -  -  -  -  -  -  7        b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4
  8  -  -  -  -  -  -  -  -  8
     a  b  c  d  e  f  g  h         one
";
        assert_eq!(drawn::<Othello>(&["f5"], Style::Ascii, false), expected);
    }

    #[test]
    fn chess_from_black_s_side() {
        let text = drawn::<Chess>(&["e4"], Style::Ascii, true);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "     h  g  f  e  d  c  b  a         one");
        assert!(lines[1].starts_with("  1  R  N  B  K  Q  B  N  R  1      a note"));
        assert!(lines[4].starts_with("  4  -  -  - [P] -  -  -  -  4    "));
        assert!(lines[8].starts_with("  8  r  n  b  k  q  b  n  r  8"));
        assert_eq!(lines[9], "     h  g  f  e  d  c  b  a         two");
    }

    /// Where board and panel do not fit side by side, the panel is below; words stay whole.
    #[test]
    fn a_narrow_terminal_has_the_panel_below() {
        for style in [Style::Ascii, Style::Symbols, Style::Colours] {
            for width in [24, 29, 30, 32, 40, 44, 60, 77, 78, 80, 120] {
                let text = at_width::<Chess>(&["e4"], style, false, width);
                let longest = text.lines().map(columns).max().unwrap();
                assert!(longest <= width, "{width}: {longest}\n{text}");
                let lines: Vec<&str> = text.lines().collect();
                assert_eq!(lines[0].ends_with("  two"), width >= WIDE, "{text}");
                assert_eq!(lines.len() > 10, width < WIDE, "{text}");
                let letters =
                    if width < BOARD { "a b c d e f g h" } else { "a  b  c  d  e  f  g  h" };
                assert!(lines[9].contains(letters), "{text}");
                assert!(text.contains("moves: Na3"), "{text}");
                // Six lines of 40 columns hold them all, six of 32 do not.
                assert_eq!(text.contains(" ... 60 in all"), width <= 32, "{text}");
            }
        }
        let text = at_width::<Chess>(&[], Style::Ascii, false, 40);
        let legend: Vec<&str> = text.lines().skip(10).collect();
        let expected = [
            "  two",
            "  one",
            "  a note of some length, which is broken",
            "    where it must be",
            "  moves: Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3",
        ];
        assert_eq!(legend[..5], expected);
        assert_eq!(legend.len(), 10);
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        for style in [Style::Ascii, Style::Symbols] {
            assert!(!drawn::<Chess>(&["e4"], style, false).contains('\x1b'));
        }
        assert!(drawn::<Chess>(&[], Style::Ascii, false).is_ascii());
        assert!(drawn::<Chess>(&[], Style::Symbols, false).contains('♔'));
        let coloured = drawn::<Othello>(&[], Style::Colours, false);
        // Every line that colours a square ends without colour.
        assert_eq!(coloured.matches("\x1b[48").count(), 64);
        assert_eq!(coloured.matches("\x1b[0m").count(), 64);
        assert_eq!(
            Style::Ascii.text("αβ: G ± 5, +∞ ─ f⁺ …"),
            "alpha-beta: G +- 5, +infinity - f+ ..."
        );
        assert_eq!(Style::Symbols.text("±"), "±");
        assert_eq!(Style::found(false, false), Style::Ascii);
        assert_eq!(Style::found(true, true), Style::Ascii);
    }
}
