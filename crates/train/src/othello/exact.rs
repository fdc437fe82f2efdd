//! How far an evaluator is from the truth: on positions of games that were held out, solved exactly.

use std::fs::{OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{made_detour, positions};
use crate::shard::{NO_VALUE, RecordedGame, is_held_out};
use plyground_core::checksum::checksum;
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

/// One position with this number of empty squares of every game that was held out and made no detour.
pub fn candidates(games: &[RecordedGame], empties: usize) -> Vec<Board> {
    let held_out = games.iter().enumerate().filter(|&(number, _)| is_held_out(number));
    let held_out = held_out.filter(|(_, game)| !made_detour(game));
    let found = held_out.filter_map(|(_, game)| {
        let fits = |board: &Board| board.empties().len() == empties && !board.moves().is_empty();
        positions(game)
            .find(|(board, _, ply)| fits(board) && ply.value != NO_VALUE)
            .map(|(board, ..)| board)
    });
    found.collect()
}

/// Solves boards, as far as a file does not know them yet; the file, in OBF, grows with each. Fewer are
/// returned if `stop` is raised. A line that was cut off by a crash is removed, and its position is solved
/// again; any other line that is not as it was written is an error.
pub fn solve_all(
    file: &Path,
    boards: &[Board],
    stop: &StopFlag,
    progress: &dyn Fn(usize),
) -> std::io::Result<Vec<SolvedBoard>> {
    let mut options = OpenOptions::new();
    let mut out = options.create(true).read(true).append(true).open(file)?;
    if let Err(TryLockError::WouldBlock) = out.try_lock() {
        return Err(std::io::Error::other("another run is writing to it; expected its end"));
    }
    let mut text = String::new();
    out.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    out.set_len(whole as u64)?;
    let known = text[..whole].lines().enumerate().map(|(number, line)| {
        checked(line).map_err(|wrong| {
            std::io::Error::other(format!(
                "line {}: {wrong}; expected a line as it was written, or none",
                number + 1
            ))
        })
    });
    let known: Vec<ObfLine> = known.collect::<Result<_, _>>()?;
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
                let mut line = ObfLine { position, moves, comment: String::new() };
                line.comment = checksum_of(&line);
                out.write_all(format!("{line}\n").as_bytes())?;
                solution.score
            }
        };
        solved.push(SolvedBoard { board, score });
        progress(number + 1);
    }
    Ok(solved)
}

/// The checksum of a line that is kept: its comment.
fn checksum_of(line: &ObfLine) -> String {
    let bare = ObfLine { comment: String::new(), ..line.clone() };
    format!("{:016x}", checksum(bare.to_string().as_bytes()))
}

/// The line of a file, if it is sound. Files of earlier versions have no checksums.
fn checked(text: &str) -> Result<ObfLine, String> {
    let line: ObfLine = text.parse().map_err(|error| format!("{error}"))?;
    match line.comment.is_empty() || line.comment == checksum_of(&line) {
        true => Ok(line),
        false => Err("damaged: its checksum is wrong".into()),
    }
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

/// How often errors are drawn again for an interval.
const RESAMPLES: u64 = 2000;

/// The ratio of the mean errors of two evaluators on the same boards, and its 95 % interval, by drawing
/// boards with replacement: each board counts in both means or in neither.
pub fn ratio(own: &[f64], other: &[f64]) -> [f64; 3] {
    let pairs: Vec<(f64, f64)> = own.iter().copied().zip(other.iter().copied()).collect();
    let ratio = |pairs: &mut dyn Iterator<Item = (f64, f64)>| {
        let (own, other) = pairs.fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
        own / other
    };
    let whole = ratio(&mut pairs.iter().copied());
    if pairs.is_empty() {
        return [whole; 3];
    }
    let mut random = StdRng::seed_from_u64(1);
    let mut draw = || pairs[random.random_range(0..pairs.len())];
    let mut drawn: Vec<f64> =
        (0..RESAMPLES).map(|_| ratio(&mut (0..pairs.len()).map(|_| draw()))).collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((RESAMPLES - 1) as f64 * share).round() as usize];
    [whole, at(0.025), at(0.975)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_paired() {
        // However the boards are drawn, each error is half of the other evaluator's.
        let other = [1.0, 20.0, 3.0, 8.0];
        assert_eq!(ratio(&other.map(|error| error / 2.0), &other), [0.5; 3]);
        let [whole, low, high] = ratio(&[8.0, 3.0, 20.0, 1.0], &other);
        assert_eq!(whole, 1.0);
        assert!(low < 0.5 && high > 2.0, "{low} {high}");
    }

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
        assert_eq!(std::fs::read(&file).unwrap(), kept);
        // A wrong bit is found, or means the same.
        for bit in (0..8 * (kept.len() - 1)).step_by(3) {
            let mut damaged = kept.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&file, &damaged).unwrap();
            match solve_all(&file, &[], &stop, &|_| {}) {
                Ok(_) => assert_eq!(solve_all(&file, &boards, &stop, &|_| {}).unwrap(), solved),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            assert_eq!(std::fs::read(&file).unwrap(), damaged, "bit {bit}");
        }
        // A file of an earlier version, and one that another run is writing.
        let bare = kept.split(|&byte| byte == b'%').next().unwrap().trim_ascii_end();
        std::fs::write(&file, [bare, b"\n"].concat()).unwrap();
        assert_eq!(solve_all(&file, &boards, &stop, &|_| {}).unwrap(), solved);
        let other = std::fs::File::open(&file).unwrap();
        other.lock().unwrap();
        let busy = solve_all(&file, &boards, &stop, &|_| {}).unwrap_err();
        assert!(busy.to_string().contains("another run"), "{busy}");
        let exact = Evaluator::final_score();
        assert_eq!(errors(&exact, &solved).len(), 1);
    }
}
