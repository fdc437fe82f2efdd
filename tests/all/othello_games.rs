//! Games of Othello for the protocols: random ones, with passes among them.

use plyground::othello::{Move, Position};

/// A game of random moves: each position before a move, the move, and the last position.
pub fn random_game(seed: u64) -> (Vec<(Position, Move)>, Position) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    let mut position = Position::start();
    let mut played = Vec::new();
    while !position.board.is_over() {
        let moves: Vec<_> = position.board.moves().into_iter().collect();
        let mv = (!moves.is_empty()).then(|| moves[random(moves.len())]);
        played.push((position, mv));
        position = after(&position, mv);
    }
    (played, position)
}

/// So many random games in which somebody passes.
pub fn games_with_passes(count: usize) -> Vec<(Vec<(Position, Move)>, Position)> {
    let games = (1..).map(random_game);
    games.filter(|(played, _)| played.iter().any(|(_, mv)| mv.is_none())).take(count).collect()
}

/// The position after a move, which must be legal.
pub fn after(position: &Position, mv: Move) -> Position {
    match mv {
        Some(square) => {
            position.play(square).unwrap_or_else(|| panic!("{square} is illegal in {position}"))
        }
        None => {
            assert!(position.board.must_pass(), "{position}: nobody must pass");
            position.pass()
        }
    }
}

/// A move in capital letters, with the word for a pass.
pub fn written(mv: Move, pass: &str) -> String {
    mv.map_or_else(|| pass.to_owned(), |square| square.to_string().to_uppercase())
}

/// The move that is written so; `None` if it is the word for a pass.
pub fn read(text: &str, pass: &str) -> Move {
    (text != pass).then(|| text.to_lowercase().parse().unwrap_or_else(|_| panic!("`{text}`")))
}
