//! The features of a position, written once both for scoring and for counting them.
//!
//! Each function handles one side and reports its features to a [`Sink`]: the scoring one multiplies
//! by the weight, the counting one collects the counts. The side is a constant parameter of the
//! functions, so that a step forward is a shift by a constant.

use super::layout::*;
use super::weights::{material_feature, table_feature};
use crate::chess::attacks::{FILE_A, FILE_H, KING, KNIGHT};
use crate::chess::board::Board;
use crate::chess::instructions::Instructions;
use crate::chess::piece::Piece;
use crate::chess::side::Side;

/// Receives the features of a position.
pub(super) trait Sink {
    /// A side (White is 0) has a feature `count` times.
    fn add(&mut self, side: usize, feature: usize, count: i32);
}

const PAWN_PIECE: usize = Piece::Pawn.index();
const KNIGHT_PIECE: usize = Piece::Knight.index();
const BISHOP_PIECE: usize = Piece::Bishop.index();
const ROOK_PIECE: usize = Piece::Rook.index();
const QUEEN_PIECE: usize = Piece::Queen.index();

const DARK: u64 = 0xaa55_aa55_aa55_aa55;
const RANK: u64 = 0xff;

/// Units of king danger for each knight, bishop, rook and queen that attacks the king's zone.
const ATTACKER: [i32; 6] = [0, 3, 2, 3, 5, 0];
/// Units for a safe check by a piece of each kind.
const SAFE_CHECK: [i32; 6] = [0, 5, 3, 6, 5, 0];
/// Units for each attacked square beside the king that no other piece defends.
const WEAK_SQUARE: i32 = 2;
/// Units subtracted if the attacker has no queen.
const NO_QUEEN: i32 = 9;

/// Material and piece-square tables: the part that a node updates with every move.
pub(super) fn placement(board: &Board, sink: &mut impl Sink) {
    for side in Side::ALL {
        for piece in Piece::ALL {
            for square in board.pieces_of(side, piece) {
                if let Some(feature) = material_feature(piece) {
                    sink.add(side.index(), feature, 1);
                }
                sink.add(side.index(), table_feature(side, piece, square), 1);
            }
        }
    }
}

/// What both sides attack, and the attack on each king.
struct AttackMap {
    by: [[u64; 6]; 2],
    /// All attacks except the king's.
    most: [u64; 2],
    /// Each king's square and those beside it.
    ring: [u64; 2],
    /// The ring, and the rank in front of it.
    zone: [u64; 2],
    /// The number of each side's pieces that attack the other king's zone, and their units of danger.
    attackers: [i32; 2],
    units: [i32; 2],
    passed: [u64; 2],
}

/// All features except material and piece-square tables.
#[inline(always)]
pub(super) fn extract<I: Instructions>(i: I, board: &Board, sink: &mut impl Sink) {
    let ring = [Side::White, Side::Black]
        .map(|side| KING[board.king_index(side)] | 1 << board.king_index(side));
    let pawns = board.pieces[PAWN_PIECE];
    let attacks = [attacks::<0>(pawns & board.sides[0]), attacks::<1>(pawns & board.sides[1])];
    let mut map = AttackMap {
        by: [[attacks[0], 0, 0, 0, 0, 0], [attacks[1], 0, 0, 0, 0, 0]],
        most: attacks,
        ring,
        zone: [ring[0] | forward::<0>(ring[0]), ring[1] | forward::<1>(ring[1])],
        attackers: [0; 2],
        units: [0; 2],
        passed: [0; 2],
    };
    pawn_structure::<0>(board, &mut map, sink);
    pawn_structure::<1>(board, &mut map, sink);
    pieces::<I, 0>(i, board, &mut map, sink);
    pieces::<I, 1>(i, board, &mut map, sink);
    passed_pawns::<0>(board, &map, sink);
    passed_pawns::<1>(board, &map, sink);
    threats::<0>(board, &map, sink);
    threats::<1>(board, &map, sink);
    king::<I, 0>(i, board, &map, sink);
    king::<I, 1>(i, board, &map, sink);
    match board.sides.map(u64::is_power_of_two) {
        [true, false] => lone_king::<1>(board, sink),
        [false, true] => lone_king::<0>(board, sink),
        _ => {}
    }
    sink.add(board.side.index(), TEMPO, 1);
}

#[inline(always)]
fn pawn_structure<const US: usize>(board: &Board, map: &mut AttackMap, sink: &mut impl Sink) {
    let ours = board.pieces[PAWN_PIECE] & board.sides[US];
    let theirs = board.pieces[PAWN_PIECE] & board.sides[1 - US];
    let behind = fill_back::<US>(back::<US>(ours));
    // The squares that the opponent's pawns block, attack, or can come to attack.
    let stopped = fill_back::<US>(back::<US>(theirs) | map.by[1 - US][PAWN_PIECE]);
    map.passed[US] = ours & !stopped & !behind;

    let files = fill_forward::<US>(ours) | behind;
    let isolated = ours & !beside(files);
    let span = fill_forward::<US>(map.by[US][PAWN_PIECE]);
    let held = forward::<US>(ours) & map.by[1 - US][PAWN_PIECE] & !span;
    sink.add(US, ISOLATED, count(isolated));
    sink.add(US, DOUBLED, count(ours & behind));
    sink.add(US, BACKWARD, count(back::<US>(held) & !isolated));
    let mut connected = ours & (map.by[US][PAWN_PIECE] | beside(ours));
    while connected != 0 {
        sink.add(US, CONNECTED + rank::<US>(lowest(connected)) - 1, 1);
        connected &= connected - 1;
    }
}

#[inline(always)]
fn pieces<I: Instructions, const US: usize>(
    i: I,
    board: &Board,
    map: &mut AttackMap,
    sink: &mut impl Sink,
) {
    let us = board.sides[US];
    let [pawns, knights, bishops, rooks, queens, kings] = board.pieces;
    let occupied = us | board.sides[1 - US];
    // The mobility area: squares without our pawns and king that no pawn of the opponent attacks.
    let area = !(map.by[1 - US][PAWN_PIECE] | (pawns | kings) & us);
    let own_pawns = pawns & us;
    let other_pawns = pawns & board.sides[1 - US];
    // Outposts: squares from our fourth to our sixth rank that a pawn of ours defends and no pawn of
    // the opponent can come to attack.
    let outposts = !fill_back::<US>(map.by[1 - US][PAWN_PIECE])
        & map.by[US][PAWN_PIECE]
        & if US == 0 { 0xff_ffff << 24 } else { 0xff_ffff << 16 };

    let mut from = knights & us;
    while from != 0 {
        let square = lowest(from);
        let attacks = KNIGHT[square];
        add_attacks::<US>(map, KNIGHT_PIECE, attacks);
        sink.add(US, KNIGHT_MOBILITY + count(attacks & area) as usize, 1);
        sink.add(US, KNIGHT_OUTPOST, (outposts >> square & 1) as i32);
        from &= from - 1;
    }
    let ours = bishops & us;
    let mut from = ours;
    while from != 0 {
        let square = lowest(from);
        // A bishop attacks through its own queen, a rook through its own queens and rooks.
        let attacks = i.bishop(square, occupied ^ queens & us);
        add_attacks::<US>(map, BISHOP_PIECE, attacks);
        sink.add(US, BISHOP_MOBILITY + count(attacks & area) as usize, 1);
        sink.add(US, BISHOP_OUTPOST, (outposts >> square & 1) as i32);
        let colour = if DARK >> square & 1 != 0 { DARK } else { !DARK };
        sink.add(US, BISHOP_PAWNS, count(own_pawns & colour));
        from &= from - 1;
    }
    sink.add(US, BISHOP_PAIR, i32::from(ours & DARK != 0 && ours & !DARK != 0));
    let mut from = rooks & us;
    while from != 0 {
        let square = lowest(from);
        let attacks = i.rook(square, occupied ^ (queens | rooks) & us);
        add_attacks::<US>(map, ROOK_PIECE, attacks);
        sink.add(US, ROOK_MOBILITY + count(attacks & area) as usize, 1);
        let file = FILE_A << (square & 7);
        if own_pawns & file == 0 {
            let open = other_pawns & file == 0;
            sink.add(US, if open { ROOK_OPEN } else { ROOK_HALF_OPEN }, 1);
        }
        if rank::<US>(square) == 6 {
            let seventh = RANK << (square & 56);
            let worth = other_pawns & seventh != 0
                || kings & board.sides[1 - US] & forward::<US>(seventh) != 0;
            sink.add(US, ROOK_SEVENTH, i32::from(worth));
        }
        let ahead = fill_forward::<US>(1 << square);
        sink.add(US, ROOK_BEHIND, i32::from(map.passed[US] & ahead & attacks != 0));
        from &= from - 1;
    }
    let mut from = queens & us;
    while from != 0 {
        let square = lowest(from);
        let attacks = i.rook(square, occupied) | i.bishop(square, occupied);
        add_attacks::<US>(map, QUEEN_PIECE, attacks);
        sink.add(US, QUEEN_MOBILITY + count(attacks & area) as usize, 1);
        from &= from - 1;
    }
}

/// Adds the attacks of a piece to the map, and to the danger of the opponent's king.
#[inline(always)]
fn add_attacks<const US: usize>(map: &mut AttackMap, piece: usize, attacks: u64) {
    map.by[US][piece] |= attacks;
    map.most[US] |= attacks;
    if attacks & map.zone[1 - US] != 0 {
        map.attackers[US] += 1;
        map.units[US] += ATTACKER[piece] + count(attacks & map.ring[1 - US]);
    }
}

#[inline(always)]
fn passed_pawns<const US: usize>(board: &Board, map: &AttackMap, sink: &mut impl Sink) {
    let mut passed = map.passed[US];
    if passed == 0 {
        return;
    }
    let occupied = board.sides[0] | board.sides[1];
    let kings = [0, 1].map(|side| (board.sides[side] & board.pieces[5]).trailing_zeros() as usize);
    let attacked = map.most[1 - US] | map.ring[1 - US];
    while passed != 0 {
        let square = lowest(passed);
        let rank = rank::<US>(square);
        sink.add(US, PASSED + rank - 1, 1);
        let beyond = rank as i32 - 1;
        let stop = if US == 0 { square + 8 } else { square.wrapping_sub(8) } & 63;
        let bit = 1u64 << stop;
        sink.add(US, PASSED_FREE, if (occupied | attacked) & bit == 0 { beyond } else { 0 });
        sink.add(US, PASSED_BLOCKED, if board.sides[1 - US] & bit != 0 { beyond } else { 0 });
        sink.add(US, PASSED_OWN_KING, beyond * distance(kings[US], stop));
        sink.add(US, PASSED_OTHER_KING, beyond * distance(kings[1 - US], stop));
        passed &= passed - 1;
    }
}

#[inline(always)]
fn threats<const US: usize>(board: &Board, map: &AttackMap, sink: &mut impl Sink) {
    let [pawns, knights, bishops, rooks, queens, _] = board.pieces;
    let them = board.sides[1 - US];
    let by = &map.by[US];
    let pieces = (knights | bishops | rooks | queens) & them;
    sink.add(US, PAWN_THREAT, count(by[PAWN_PIECE] & pieces));
    let minors = by[KNIGHT_PIECE] | by[BISHOP_PIECE];
    sink.add(US, MINOR_THREAT, count(minors & (rooks | queens) & them));
    sink.add(US, ROOK_THREAT, count(by[ROOK_PIECE] & queens & them));
    let loose = (map.most[US] | map.ring[US]) & !(map.most[1 - US] | map.ring[1 - US]);
    sink.add(US, HANGING_PIECE, count(loose & pieces));
    sink.add(US, HANGING_PAWN, count(loose & pawns & them));
}

/// Our king: its pawn shelter, the pawn storm against it, and its danger.
#[inline(always)]
fn king<I: Instructions, const US: usize>(
    i: I,
    board: &Board,
    map: &AttackMap,
    sink: &mut impl Sink,
) {
    let [pawns, knights, _, _, queens, _] = board.pieces;
    let (us, them) = (board.sides[US], board.sides[1 - US]);
    let king = (us & board.pieces[5]).trailing_zeros() as usize & 63;

    // Three files, even if the king is on the edge of the board.
    let centre = (king & 7).clamp(1, 6);
    let row = RANK & 7 << (centre - 1);
    let files = row * FILE_A;
    let first = forward::<US>(row << (king & 56));
    let second = forward::<US>(first);
    let third = forward::<US>(second);
    sink.add(US, SHELTER_NEAR, count(pawns & us & first));
    sink.add(US, SHELTER_FAR, count(pawns & us & second));
    sink.add(US, STORM_NEAR, count(pawns & them & (first | second)));
    sink.add(US, STORM_FAR, count(pawns & them & third));
    let ahead = fill_forward::<US>(first);
    let covered = fill_back::<US>(pawns & us & ahead) & row << (king & 56);
    sink.add(US, SHELTER_NONE, 3 - count(covered));
    let closed = fill_file(pawns & files) & row << (king & 56);
    sink.add(US, SHELTER_OPEN, 3 - count(closed));

    let queen = queens & them != 0;
    if map.attackers[1 - US] < 2 - i32::from(queen) {
        return;
    }
    let occupied = us | them;
    let mut units = map.units[1 - US];
    let weak = map.ring[US] & map.most[1 - US] & !map.most[US];
    units += WEAK_SQUARE * count(weak);
    // Squares from which a check is safe.
    let safe = !(map.most[US] | map.ring[US] | them);
    let straight = i.rook(king, occupied);
    let diagonal = i.bishop(king, occupied);
    let by = &map.by[1 - US];
    for (piece, checks) in [
        (KNIGHT_PIECE, KNIGHT[king]),
        (BISHOP_PIECE, diagonal),
        (ROOK_PIECE, straight),
        (QUEEN_PIECE, straight | diagonal),
    ] {
        if by[piece] & checks & safe != 0 {
            units += SAFE_CHECK[piece];
        }
    }
    if !queen {
        units -= NO_QUEEN;
    }
    // A knight in the king's zone defends it.
    units -= i32::from(knights & us & map.zone[US] != 0);
    sink.add(US, DANGER + units.clamp(0, 39) as usize, 1);
}

/// The opponent has only its king: it has to be driven to the edge.
#[inline(always)]
fn lone_king<const US: usize>(board: &Board, sink: &mut impl Sink) {
    let [pawns, knights, bishops, rooks, queens, kings] = board.pieces;
    if pawns != 0 {
        return;
    }
    let ours = (kings & board.sides[US]).trailing_zeros() as usize & 63;
    let theirs = (kings & board.sides[1 - US]).trailing_zeros() as usize & 63;
    sink.add(US, LONE_KING_NEAR, 7 - distance(ours, theirs));
    let (file, row) = ((theirs & 7) as i32, (theirs >> 3) as i32);
    if rooks | queens == 0 && knights != 0 && bishops.is_power_of_two() {
        // Bishop and knight mate only in a corner of the bishop's colour.
        let file = if bishops & DARK != 0 { file } else { 7 - file };
        sink.add(US, LONE_KING_CORNER, (7 - file - row).abs());
    }
    // Steps along files and ranks from the four squares in the centre.
    sink.add(US, LONE_KING_EDGE, ((2 * file - 7).abs() + (2 * row - 7).abs()) / 2 - 1);
}

/// The number of squares in a set.
#[inline(always)]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The lowest square of a set, which must not be empty.
#[inline(always)]
fn lowest(set: u64) -> usize {
    set.trailing_zeros() as usize & 63
}

/// The rank as seen by a side, from 0.
#[inline(always)]
fn rank<const US: usize>(square: usize) -> usize {
    if US == 0 { square >> 3 } else { 7 - (square >> 3) }
}

/// The number of king moves from one square to another.
#[inline(always)]
fn distance(a: usize, b: usize) -> i32 {
    let (a, b) = (a as i32, b as i32);
    ((a & 7) - (b & 7)).abs().max(((a >> 3) - (b >> 3)).abs())
}

/// The set moved one step towards the opponent.
#[inline(always)]
fn forward<const US: usize>(set: u64) -> u64 {
    if US == 0 { set << 8 } else { set >> 8 }
}

#[inline(always)]
fn back<const US: usize>(set: u64) -> u64 {
    if US == 0 { set >> 8 } else { set << 8 }
}

/// The set and all squares in front of it.
#[inline(always)]
fn fill_forward<const US: usize>(set: u64) -> u64 {
    if US == 0 { fill_up(set) } else { fill_down(set) }
}

#[inline(always)]
fn fill_back<const US: usize>(set: u64) -> u64 {
    if US == 0 { fill_down(set) } else { fill_up(set) }
}

#[inline(always)]
fn fill_up(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set | set << 32
}

#[inline(always)]
fn fill_down(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set | set >> 32
}

#[inline(always)]
fn fill_file(set: u64) -> u64 {
    fill_up(set) | fill_down(set)
}

/// The squares to the left and right of a set.
#[inline(always)]
fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// What pawns attack.
#[inline(always)]
fn attacks<const US: usize>(pawns: u64) -> u64 {
    forward::<US>(beside(pawns))
}
