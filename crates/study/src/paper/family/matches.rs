//! Matches at equal nodes: each search of the family against PVS and against MTD(f).

use serde_json::json;

use super::{choosers, engine, references, remarkable};
use crate::experiment::{share_interval, sign_test};
use crate::paper::{Findings, PositionRun};
use crate::report::{Align, TextTable};
use plyground_core::names::plural;
use plyground_core::tree::mix;
use plyground_engine::door::{AnyLine, Player};
use plyground_engine::game::Seat;
use plyground_engine::session::{GoLimits, ThinkRequest};
use plyground_search::Algorithm;

/// A game that lasts this many plies after its opening is a draw.
const LONGEST: usize = 300;

/// Wins, draws and losses.
#[derive(Clone, Copy, Default)]
struct Score([u32; 3]);

impl Score {
    fn games(self) -> u32 {
        self.0.iter().sum()
    }

    /// The points of all games, as a share.
    fn share(self) -> f64 {
        let [won, drawn, _] = self.0;
        (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(self.games().max(1))
    }
}

/// Plays `games` games of each search of the family against each reference, the openings twice with the
/// sides exchanged.
pub(super) fn matches(run: &PositionRun<'_>, nodes: u64, games: u32) -> anyhow::Result<Findings> {
    let game = run.game;
    let openings = game.standard_openings()?;
    // In an order that the seed chooses.
    let mut order: Vec<usize> = (0..openings.len()).collect();
    order.sort_by_key(|&place| mix(run.run.seed, place as u64));
    let (family, references) = (choosers(), references());
    let all = family.len() as u64 * references.len() as u64 * u64::from(games);
    run.run.progress.begin(all, "games");
    let mut done = 0;
    let mut scores = vec![[Score::default(); 2]; family.len()];
    // The points of each game.
    let mut points: Vec<[Vec<f64>; 2]> = vec![Default::default(); family.len()];
    'all: for (row, algorithm) in family.iter().enumerate() {
        for (column, reference) in references.iter().enumerate() {
            let player = |algorithm: &Algorithm| game.player(engine(run, algorithm, nodes));
            let mut players = [player(algorithm)?, player(reference)?];
            for number in 0..games {
                let place = order[number as usize / 2 % order.len()];
                let first = number.is_multiple_of(2);
                let winner = play(run, &*openings[place], &mut players, first, nodes)?;
                if run.run.flag.is_raised() {
                    break 'all;
                }
                let result = match winner {
                    None => 1,
                    Some(seat) if (seat == Seat::First) == first => 0,
                    Some(_) => 2,
                };
                scores[row][column].0[result] += 1;
                points[row][column].push([1.0, 0.5, 0.0][result]);
                done += 1;
                run.run.progress.step();
            }
        }
    }
    run.run.progress.end();
    let mut found = Findings::default();
    found.note_work(done, all, "games");
    let mut table =
        TextTable::new(format!("Matches on {game} at {nodes} nodes a move: won, drawn, lost"));
    table.column("search", Align::Left);
    for reference in &references {
        table.group(format!("against {}", reference.name()), Align::Right);
        table.column("%", Align::Right);
        table.column("95 %", Align::Left);
    }
    let all_scores = scores.iter().flatten();
    let chances = all_scores.map(|score| sign_test(score.0[0].into(), score.0[2].into()));
    let mut stars = remarkable(chances).into_iter();
    for ((algorithm, scores), points) in family.iter().zip(&scores).zip(&points) {
        let mut cells = vec![algorithm.name()];
        for ((score, reference), points) in scores.iter().zip(&references).zip(points) {
            let [won, drawn, lost] = score.0;
            let star = if stars.next() == Some(true) { "*" } else { "" };
            let played = f64::from(score.games());
            let (low, high) = share_interval(score.share() * played, played);
            cells.push(format!("+{won} ={drawn} -{lost}"));
            cells.push(format!("{:.0}{star}", 100.0 * score.share()));
            cells.push(format!("{:.0}–{:.0}", 100.0 * low, 100.0 * high));
            found.rows.push(json!({
                "experiment": "family-matches", "game": game.name(),
                "algorithm": algorithm.to_string(), "against": reference.to_string(),
                "nodes": nodes, "won": won, "drawn": drawn, "lost": lost, "each": points,
            }));
        }
        table.row(cells);
    }
    let share = |scores: &[Score; 2]| scores[0].share() + scores[1].share();
    let ranked = family.iter().zip(&scores);
    if let Some((best, scores)) = ranked.max_by(|(_, a), (_, b)| share(a).total_cmp(&share(b))) {
        table.note(format!(
            "Strongest of the family: {}, {:.0} % against both.",
            best.name(),
            50.0 * share(scores)
        ));
    }
    table.note(format!(
        "{} each; * wins or loses more by sign tests of the games that were not drawn, with Holm's correction.",
        plural(games as usize, "game")
    ));
    found.tables.push(table);
    Ok(found)
}

/// Plays one game, which the first of the players begins if `in_order`; the winner's seat, or `None` for a
/// draw.
fn play(
    run: &PositionRun<'_>,
    opening: &dyn AnyLine,
    players: &mut [Box<dyn Player>; 2],
    in_order: bool,
    nodes: u64,
) -> anyhow::Result<Option<Seat>> {
    let mut line = opening.boxed();
    let request = ThinkRequest {
        stop: run.run.flag.clone(),
        ..ThinkRequest::on(GoLimits { nodes: Some(nodes), ..GoLimits::default() })
    };
    for _ in 0..LONGEST {
        if let Some(verdict) = line.verdict() {
            return Ok(verdict.winner);
        }
        let seat = line.mover().index();
        let player = &mut players[if in_order { seat } else { 1 - seat }];
        player.set_line(&*line)?;
        let outcome = player.think(&request, &mut |_| {});
        let Some(best) = outcome.best.filter(|_| !run.run.flag.is_raised()) else {
            return Ok(None);
        };
        line.play(&best)?;
    }
    Ok(None)
}
