//! How far an evaluator is from the truth: on positions of games that were held out, solved exactly.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::positions;
use crate::shard::{NO_VALUE, RecordedGame, is_held_out};
use plyground_core::limits::{Limits, StopFlag};
use plyground_games::othello::{Board, DISC, Disc, Evaluator, ObfLine, Position, ScoredMove};
use plyground_games::solver::Solver;

/// The table of the solver.
const TABLE_BYTES: usize = 1 << 25;

/// A board with its exact score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedBoard {
    /// The board.
    pub board: Board,
    /// Its score in discs.
    pub score: i32,
}

/// One position with this number of empty squares of every game that was held out.
pub fn candidates(games: &[RecordedGame], empties: usize) -> Vec<Board> {
    let held_out = games.iter().enumerate().filter(|&(number, _)| is_held_out(number));
    let found = held_out.filter_map(|(_, game)| {
        let fits = |board: &Board| board.empties().len() == empties && !board.moves().is_empty();
        positions(game)
            .find(|(board, _, ply)| fits(board) && ply.value != NO_VALUE)
            .map(|(board, ..)| board)
    });
    found.collect()
}

/// Solves boards, as far as a file does not know them yet; the file, in OBF, grows with each. Fewer are
/// returned if `stop` is raised.
pub fn solve_all(
    file: &Path,
    boards: &[Board],
    stop: &StopFlag,
    progress: &dyn Fn(usize),
) -> std::io::Result<Vec<SolvedBoard>> {
    let text = if file.exists() { std::fs::read_to_string(file)? } else { String::new() };
    // A line that was cut off by a crash is no line, and its position is solved again.
    let known: Vec<ObfLine> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    let failed = |error| std::io::Error::other(format!("{error}"));
    let mut solver = Solver::with_table(TABLE_BYTES).map_err(failed)?;
    let limits = Limits { flag: stop.clone(), ..Limits::default() };
    let mut solved = Vec::new();
    for (number, &board) in boards.iter().enumerate() {
        let line = known.iter().find(|line| line.position.board == board);
        let score = match line.and_then(ObfLine::score) {
            Some(score) => score,
            None => {
                let Ok(solution) = solver.solve(&board, &limits) else { break };
                let moves = vec![ScoredMove { square: solution.best, score: solution.score }];
                let position = Position { board, side: Disc::Black };
                let line = ObfLine { position, moves, comment: String::new() };
                out.write_all(format!("{line}\n").as_bytes())?;
                solution.score
            }
        };
        solved.push(SolvedBoard { board, score });
        progress(number + 1);
    }
    Ok(solved)
}

/// The value of a search of one ply, in hundredths of a disc.
pub fn one_ply(evaluator: &Evaluator, board: &Board) -> i32 {
    let replies = board.moves().filter_map(|square| board.play(square));
    let best = replies.map(|next| -evaluator.evaluate(&next)).max();
    best.unwrap_or_else(|| match board.must_pass() {
        true => -one_ply(evaluator, &board.pass()),
        false => evaluator.evaluate(board),
    })
}

/// The errors of a search of one ply with an evaluator, in discs, in the order of the boards.
pub fn errors(evaluator: &Evaluator, boards: &[SolvedBoard]) -> Vec<f64> {
    let error = |solved: &SolvedBoard| {
        f64::from((one_ply(evaluator, &solved.board) - solved.score * DISC).abs()) / f64::from(DISC)
    };
    boards.iter().map(error).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("solved.obf");
        let position: Position =
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse().unwrap();
        let boards = [position.board];
        let stop = StopFlag::new();
        let solved = solve_all(&file, &boards, &stop, &|_| {}).unwrap();
        assert_eq!(solved, [SolvedBoard { board: position.board, score: 18 }]);
        let kept = std::fs::read(&file).unwrap();
        assert_eq!(solve_all(&file, &boards, &stop, &|_| {}).unwrap(), solved);
        assert_eq!(std::fs::read(&file).unwrap(), kept);
        // Half a line is not believed.
        std::fs::write(&file, &kept[..70]).unwrap();
        assert_eq!(solve_all(&file, &boards, &stop, &|_| {}).unwrap(), solved);
        let exact = Evaluator::final_score();
        assert_eq!(errors(&exact, &solved).len(), 1);
    }
}
