//! Multi-probcut (M. Buro, *Experiments with Multi-ProbCut and a new high-quality evaluation function
//! for Othello*, 1997): the value of a shallow search, times a slope and plus an offset, foretells the
//! value of a deep one, and the errors are about normal. So where the shallow value lies so many
//! standard deviations beyond the window that the deep one will hardly come back into it, the deep
//! search is left out. *Multi*: at each depth several shallow searches are asked, the cheapest first.

use super::Play;
use super::root::Break;
use crate::tree::{Forecast, GameTree};
use crate::value::{LEAST_MATE, Value, Window};

/// So many standard deviations beyond the window is enough. In 40 to 60 games of Othello at 40,000
/// nodes a move 1.0 scored 36 % against 1.3 and 2.0 scored 38 % against 1.6; between 1.3 and 1.6 two
/// matches did not agree.
const CONFIDENCE: f32 = 1.4;

impl<T: GameTree> Play<'_, T> {
    /// Asks the forecasts for a search of `depth` plies on which side of the null window below `beta`
    /// it will end; `None` if they cannot tell. Otherwise the value is the window's end on that side.
    pub(super) fn foretell(
        &mut self,
        node: &T::Node,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Result<Option<Value>, Break> {
        let tree = self.tree;
        let alpha = beta - 1;
        let frame = self.frames[ply];
        for &Forecast { depth: shallow, slope, offset, error } in tree.forecasts(node, depth as u32)
        {
            let bound = |end: Value, doubt: f32| (end as f32 + doubt - offset) / slope;
            let high = bound(beta, CONFIDENCE * error).ceil() as Value;
            let low = bound(alpha, -CONFIDENCE * error).floor() as Value;
            // Only the likelier side is worth a search.
            let above = frame.stand.is_none_or(|stand| stand > (low + high) / 2);
            let window = Window::above(if above { high - 1 } else { low });
            if window.alpha.abs() >= LEAST_MATE {
                continue;
            }
            let value = match frame.stand {
                Some(stand) if shallow == 0 => stand,
                _ => self.node::<false>(node, window, shallow as i32, ply)?,
            };
            self.frames[ply] = frame;
            if above && value >= high {
                return Ok(Some(beta));
            }
            if !above && value <= low {
                return Ok(Some(alpha));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::Chess;
    use crate::game::Game;
    use crate::othello::{Board, Evaluator, Othello};
    use crate::profile::{Profile, Weights};
    use crate::search::selective::Selective;
    use crate::session::{Orders, Session, Terms, Thought};
    use crate::solver::Solver;
    use crate::tree::GameTree;

    const WITHOUT: Selective = Selective { table: true, stages: true, ..Selective::NONE };
    const WITH: Selective = Selective { multi_probcut: true, ..WITHOUT };

    /// The engine with these steps and, if there are any, these weights.
    fn session<G: Game>(steps: Selective, weights: Option<&str>) -> Session<G> {
        let mut profile = Profile::standard(G::NAME).unwrap();
        profile.play = Some(steps);
        if let Some(text) = weights {
            profile.evaluator = Weights::File { path: "test.toml".into(), text: text.into() };
        }
        Session::new(profile).unwrap()
    }

    fn thoughts<G: Game>(mut session: Session<G>, depth: u32) -> Vec<Thought<G::Move>> {
        let orders = Orders::on(Terms { depth: Some(depth), ..Terms::default() });
        let mut thought = |position| {
            session.clear();
            session.set_position(position);
            session.think(&orders, &mut |_| {})
        };
        let suite = G::suite(G::EXPERIMENTS).unwrap().into_iter().take(12);
        suite.map(|problem| thought(problem.position)).collect()
    }

    fn nodes<M>(thoughts: &[Thought<M>]) -> u64 {
        thoughts.iter().map(|thought| thought.nodes).sum()
    }

    /// Far fewer nodes, and mostly the same moves.
    #[test]
    fn it_leaves_out_much_that_does_not_matter() {
        let full = thoughts::<Othello>(session(WITHOUT, None), 7);
        let cut = thoughts::<Othello>(session(WITH, None), 7);
        assert!(nodes(&cut) * 2 < nodes(&full), "{} of {}", nodes(&cut), nodes(&full));
        let same = full.iter().zip(&cut).filter(|(full, cut)| full.best == cut.best).count();
        assert!(same >= 8, "{same}");
    }

    /// A game without forecasts and weights without forecasts are searched as if it were off.
    #[test]
    fn without_forecasts_nothing_changes() {
        let bare = include_str!("../../../engines/weights/othello.toml");
        let (bare, _) = bare.split_once("\n[[forecast]]").unwrap();
        let [on, off] = [WITH, WITHOUT].map(|steps| {
            let chess = nodes(&thoughts::<Chess>(session(steps, None), 4));
            (chess, nodes(&thoughts::<Othello>(session(steps, Some(bare)), 6)))
        });
        assert_eq!(on, off);
        let forecast = nodes(&thoughts::<Othello>(session(WITH, None), 6));
        assert!(forecast < off.1);
    }

    /// Near the end nothing is left to chance: there are no forecasts, and values are exact.
    #[test]
    fn the_end_is_left_to_the_solver() {
        let suite = Othello::suite(include_str!("../../../positions/ffo.obf")).unwrap();
        let mut solver = Solver::with_table(1 << 20);
        for problem in &suite[..3] {
            // The position of the suite with a few moves of best play made.
            let solution = solver.solve(&problem.position.board, &Default::default()).unwrap();
            let mut position = problem.position;
            for &mv in &solution.pv {
                if position.board.empties().len() <= 10 {
                    break;
                }
                position = Othello::played(&position, mv).unwrap();
            }
            let board: Board = position.board;
            let tree = Othello::new(board, Evaluator::default());
            assert!((0..64).all(|depth| tree.forecasts(&board, depth).is_empty()));
            let mut session = session::<Othello>(WITH, None);
            session.set_position(position);
            let orders = Orders::on(Terms { depth: Some(20), ..Terms::default() });
            let value = session.think(&orders, &mut |_| {}).value;
            let exact = solver.solve(&board, &Default::default()).unwrap().score;
            assert_eq!(value, exact * crate::othello::DISC);
        }
    }
}
