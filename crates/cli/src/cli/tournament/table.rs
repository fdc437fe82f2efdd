//! The result of a match as a table, as JSON and as CSV.

use serde_json::{Map, Value, json};

use plyground_study::report::{Align, TextTable};
use plyground_study::tournament::{
    Competitor, Elo, FaultKind, GameRecord, Match, Scoreboard, Sprt, Tally,
};

/// One game, without the players' remarks.
pub(super) fn game(record: &GameRecord) -> anyhow::Result<Value> {
    let mut object = serde_json::to_value(record)?;
    if let Some(keys) = object.as_object_mut() {
        keys.shift_remove("remarks");
    }
    Ok(object)
}

/// The same with the fault in words.
pub(super) fn csv_row(record: &GameRecord) -> anyhow::Result<Value> {
    let mut object = game(record)?;
    if let Some(fault) = &record.fault {
        let (by, kind) = (fault.by.letter(), fault.fault.kind.name());
        object["fault"] = format!("{by} {kind}: {}", fault.fault.reason).into();
    }
    Ok(object)
}

/// A line while the match goes on.
pub(super) fn live(board: &Scoreboard) -> String {
    let Tally { wins, draws, losses } = board.tally();
    let elo = board.elo().map_or(String::new(), |elo| format!("  Elo {}", interval(&elo)));
    let llr = board.llr().map_or(String::new(), |llr| format!("  LLR {llr:.2}"));
    format!("games  +{wins} ={draws} -{losses}{elo}{llr}")
}

fn interval(elo: &Elo) -> String {
    format!("{} ({} to {})", signed(elo.value), signed(elo.low), signed(elo.high))
}

fn signed(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".into(),
        f64::NEG_INFINITY => "-∞".into(),
        // No -0.0.
        _ => format!("{:+.1}", if elo.abs() < 0.05 { 0.0 } else { elo }),
    }
}

/// The result of the match as one object. Infinite numbers are null.
pub(super) fn sums(between: &Match, board: &Scoreboard) -> Value {
    let tally = board.tally();
    let elo = board.elo();
    let finite = |of: fn(&Elo) -> f64| elo.as_ref().map(of).filter(|elo| elo.is_finite());
    let setup = between.pairings.first().map(|pairing| &pairing.setup);
    let faults = |of: Competitor| -> Map<String, Value> {
        let counted = |kind: FaultKind| (kind.name().into(), board.count_of(of, kind).into());
        FaultKind::ALL.into_iter().map(counted).collect()
    };
    let ends: Map<String, Value> =
        board.ends().into_iter().map(|(end, count)| (end.into(), count.into())).collect();
    let sprt = board.sprt().map(|Sprt { elo0, elo1 }| {
        json!({
            "elo0": elo0, "elo1": elo1, "llr": board.llr(),
            "lower": -Sprt::bound(), "upper": Sprt::bound(),
            "decision": board.decision().map(|hypothesis| hypothesis.name()),
        })
    });
    json!({
        "a": setup.map(|setup| &setup.a),
        "b": setup.map(|setup| &setup.b),
        "a_name": board.names()[0],
        "b_name": board.names()[1],
        "game": between.game().name(),
        "limit": setup.map(|setup| &setup.limit),
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score(),
        "elo": finite(|elo| elo.value),
        "elo_low": finite(|elo| elo.low),
        "elo_high": finite(|elo| elo.high),
        "pairs": board.pairs(),
        "a_first": board.tally_of(Competitor::A),
        "b_first": board.tally_of(Competitor::B),
        "ends": ends,
        "faults": { "a": faults(Competitor::A), "b": faults(Competitor::B) },
        "sprt": sprt,
    })
}

/// The match for people.
pub(super) fn text(between: &Match, board: &Scoreboard, width: usize) -> String {
    let limit = between.pairings.first().map_or("", |pairing| &pairing.setup.limit);
    let tally = board.tally();
    let Some(elo) = board.elo() else { return "No game was finished.\n".into() };
    let [a, b] = board.names();
    let mut table = TextTable::new(format!("A {a} against B {b}: {}, {limit}", between.game()));
    table.column("A", Align::Left);
    for column in ["games", "wins", "draws", "losses", "score"] {
        table.column(column, Align::Right);
    }
    let [first, second] = between.game().sides();
    for (label, tally) in [
        (format!("as {first}"), board.tally_of(Competitor::A)),
        (format!("as {second}"), board.tally_of(Competitor::B)),
        ("together".into(), tally),
    ] {
        let counts = [tally.games(), tally.wins, tally.draws, tally.losses];
        let score = tally.score().map_or("–".into(), |score| format!("{:.1} %", 100.0 * score));
        let mut row = vec![label];
        row.extend(counts.map(|count| count.to_string()));
        row.push(score);
        table.row(row);
    }
    let pairs = board.pairs();
    table.note(format!(
        "Elo {}, 95 % from {} to {}",
        signed(elo.value),
        signed(elo.low),
        signed(elo.high)
    ));
    if pairs.iter().any(|&count| count > 0) {
        let pairs = pairs.map(|count| count.to_string()).join(" ");
        table.note(format!("Pairs with 0, ½, 1, 1½ and 2 points: {pairs}"));
    }
    if let (Some(Sprt { elo0, elo1 }), Some(llr)) = (board.sprt(), board.llr()) {
        let decided = match board.decision() {
            Some(hypothesis) => format!("{} is accepted", hypothesis.name()),
            None => "not decided".into(),
        };
        let bound = Sprt::bound();
        table.note(format!(
            "SPRT H0 {elo0} Elo, H1 {elo1} Elo: LLR {llr:.2} (-{bound:.2} to {bound:.2}), {decided}"
        ));
    }
    let ends = board.ends().into_iter().map(|(end, count)| format!("{end} {count}"));
    table.note(format!("Ends: {}", ends.collect::<Vec<_>>().join(", ")));
    for competitor in Competitor::ALL {
        let counted = FaultKind::ALL.map(|kind| (kind, board.count_of(competitor, kind)));
        let made = counted.iter().filter(|(_, count)| *count > 0);
        let made: Vec<_> = made.map(|(kind, count)| format!("{} {count}", kind.ending())).collect();
        let made = if made.is_empty() { "none".into() } else { made.join(", ") };
        table.note(format!("Faults of {}: {made}", competitor.letter()));
    }
    for (number, fault) in board.faults() {
        let (by, kind) = (fault.by.letter(), fault.fault.kind.ending());
        table.note(format!("  game {number}: {by} {kind}: {}", fault.fault.reason));
    }
    table.to_text(width)
}
