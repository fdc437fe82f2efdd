//! The board as it is drawn, with what there is to know of the game beside it.

use std::env;
use std::fmt::Write as _;

use crate::game::{Diagram, GameName, Man, Player};
use crate::grid::Square;

/// How much the terminal can show.
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
        let says = |name: &str| env::var(name).ok().filter(|text| !text.is_empty());
        let term = says("TERM").unwrap_or_default();
        // The console of a machine without windows has no symbols for pieces.
        let plain = ["dumb", "linux"].contains(&term.as_str());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(says);
        let locale = locale.unwrap_or_else(|| "UTF-8".into()).to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        match ascii || !terminal || plain || !unicode {
            true => Style::Ascii,
            false if says("NO_COLOR").is_some() => Style::Symbols,
            false => Style::Colours,
        }
    }

    /// A text that stands out.
    pub(super) fn strong(self, text: &str) -> String {
        match self {
            Style::Colours => format!("\x1b[1m{text}\x1b[0m"),
            _ => text.into(),
        }
    }

    /// Tables without the characters that plain terminals do not have.
    pub(super) fn table(self, text: String) -> String {
        if self == Style::Ascii { text.replace('─', "-") } else { text }
    }
}

/// What stands beside the board: a line for each side and some between them.
pub(super) struct Beside {
    /// Each side's line, in the order of [`Player::ALL`].
    pub(super) sides: [String; 2],
    /// From the third row on.
    pub(super) notes: Vec<String>,
}

/// The colours of a board, by their numbers among the terminal's 256.
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

fn palette(game: GameName) -> &'static Palette {
    match game {
        GameName::Othello => &CLOTH,
        GameName::Chess => &WOOD,
    }
}

/// A side's sign beside the board, as its men look on it.
pub(super) fn sign(game: GameName, man: Man, style: Style) -> String {
    let palette = palette(game);
    match style {
        Style::Ascii => man.letter.into(),
        Style::Symbols => man.symbol.into(),
        Style::Colours => coloured(palette.squares[0], palette.men[man.owner.index()], man.solid),
    }
}

fn coloured(ground: u8, ink: u8, inside: char) -> String {
    format!("\x1b[48;5;{ground};38;5;{ink}m {inside} \x1b[0m")
}

const COLUMNS: &str = "abcdefgh";

/// Draws the board; `turned` puts the second side below.
pub(super) fn draw(
    game: GameName,
    diagram: &Diagram,
    beside: &Beside,
    style: Style,
    turned: bool,
) -> String {
    let palette = palette(game);
    let letters: Box<dyn Iterator<Item = char>> =
        if turned { Box::new(COLUMNS.chars().rev()) } else { Box::new(COLUMNS.chars()) };
    let columns: String = letters.map(|letter| format!(" {letter} ")).collect();
    let columns = columns.trim_end();
    let mut text = format!("    {columns}\n");
    // In Othello the first side sits below too, though its rows are counted from above.
    let below = if turned { Player::Second } else { Player::First };
    for line in 0..8 {
        let row = if diagram.upward != turned { 7 - line } else { line };
        let _ = write!(text, "  {} ", row + 1);
        for place in 0..8 {
            let column = if turned { 7 - place } else { place };
            let Some(square) = Square::at(column, row) else { continue };
            text.push_str(&cell(diagram, square, style, palette));
        }
        let _ = write!(text, " {}", row + 1);
        let note = match line {
            0 => &beside.sides[below.other().index()],
            7 => &beside.sides[below.index()],
            _ => beside.notes.get(line.wrapping_sub(2)).map_or("", String::as_str),
        };
        if !note.is_empty() {
            let _ = write!(text, "    {note}");
        }
        text.push('\n');
    }
    text + &format!("    {columns}\n")
}

/// A square, three columns wide.
fn cell(diagram: &Diagram, square: Square, style: Style, palette: &Palette) -> String {
    let (man, open) = (diagram.man(square), diagram.open.contains(square));
    let last = diagram.last.contains(square);
    let [left, right] = if last { ['[', ']'] } else { [' ', ' '] };
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
            coloured(ground, ink, inside)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use crate::game::{Course, Game};
    use crate::othello::Othello;

    fn drawn<G: Game>(moves: &[&str], style: Style, turned: bool) -> String {
        let mut course = Course::<G>::new(G::position("").unwrap());
        for text in moves {
            course.play(G::typed_move(course.position(), text).unwrap());
        }
        let beside = Beside { sides: ["one".into(), "two".into()], notes: vec!["note".into()] };
        draw(G::NAME, &G::diagram(&course), &beside, style, turned)
    }

    #[test]
    fn othello_in_ascii() {
        let expected = "     a  b  c  d  e  f  g  h
  1  -  -  -  -  -  -  -  -  1    two
  2  -  -  -  -  -  -  -  -  2
  3  -  -  -  -  -  -  -  -  3    note
  4  -  -  -  O  X  .  -  -  4
  5  -  -  -  X  X [X] -  -  5
  6  -  -  -  .  -  .  -  -  6
  7  -  -  -  -  -  -  -  -  7
  8  -  -  -  -  -  -  -  -  8    one
     a  b  c  d  e  f  g  h
";
        assert_eq!(drawn::<Othello>(&["f5"], Style::Ascii, false), expected);
    }

    #[test]
    fn chess_from_black_s_side() {
        let text = drawn::<Chess>(&["e4"], Style::Ascii, true);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "     h  g  f  e  d  c  b  a");
        assert_eq!(lines[1], "  1  R  N  B  K  Q  B  N  R  1    one");
        assert_eq!(lines[4], "  4  -  -  - [P] -  -  -  -  4");
        assert_eq!(lines[8], "  8  r  n  b  k  q  b  n  r  8    two");
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
        assert_eq!(Style::found(false, false), Style::Ascii);
        assert_eq!(Style::found(true, true), Style::Ascii);
    }
}
