//! The list of features: the name of each group, its term, and the number of features in it. This one
//! list defines the features' numbers, the keys of the weights file and the terms of an explanation.

/// Features of one kind: a key of the weights file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureGroup {
    /// The key in the weights file.
    pub key: &'static str,
    /// The term of an explanation that the features belong to.
    pub term: &'static str,
    /// The number of the group's first feature.
    pub first: usize,
    /// The number of features in the group.
    pub len: usize,
}

/// The number of the first feature of a group.
const fn first(group: usize) -> usize {
    let mut index = 0;
    let mut sum = 0;
    while index < group {
        sum += LENGTHS[index];
        index += 1;
    }
    sum
}

macro_rules! layout {
    ($($constant:ident $key:ident $term:literal $len:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($constant,)* END }

        const LENGTHS: [usize; Place::END as usize] = [$($len),*];

        $(pub(super) const $constant: usize = first(Place::$constant as usize);)*

        /// The number of features.
        pub const FEATURES: usize = first(Place::END as usize);

        /// All groups, ordered by the numbers of their features.
        pub(super) const GROUPS: [FeatureGroup; Place::END as usize] = [$(
            FeatureGroup { key: stringify!($key), term: $term, first: $constant, len: $len },
        )*];

        /// The keys of the weights file, in the order of the groups.
        pub(super) const KEYS: [&str; Place::END as usize] = [$(stringify!($key)),*];
    };
}

layout! {
    // Pawn, knight, bishop, rook, queen.
    MATERIAL material "material" 5;
    // Piece-square tables: files a to d from the last rank to the first. The other half of the board
    // is the mirror image.
    TABLES pawn_table "placement" 32;
    KNIGHT_TABLE knight_table "placement" 32;
    BISHOP_TABLE bishop_table "placement" 32;
    ROOK_TABLE rook_table "placement" 32;
    QUEEN_TABLE queen_table "placement" 32;
    KING_TABLE king_table "placement" 32;
    // Indexed by the number of squares.
    KNIGHT_MOBILITY knight_mobility "mobility" 9;
    BISHOP_MOBILITY bishop_mobility "mobility" 14;
    ROOK_MOBILITY rook_mobility "mobility" 15;
    QUEEN_MOBILITY queen_mobility "mobility" 28;
    ISOLATED isolated "pawns" 1;
    DOUBLED doubled "pawns" 1;
    BACKWARD backward "pawns" 1;
    // Indexed by rank, from the second to the seventh.
    CONNECTED connected "pawns" 6;
    PASSED passed "passed pawns" 6;
    // Counted once for each rank beyond the second.
    PASSED_FREE passed_free "passed pawns" 1;
    PASSED_BLOCKED passed_blocked "passed pawns" 1;
    PASSED_OWN_KING passed_own_king "passed pawns" 1;
    PASSED_OTHER_KING passed_other_king "passed pawns" 1;
    BISHOP_PAIR bishop_pair "pieces" 1;
    BISHOP_PAWNS bishop_pawns "pieces" 1;
    KNIGHT_OUTPOST knight_outpost "pieces" 1;
    BISHOP_OUTPOST bishop_outpost "pieces" 1;
    ROOK_OPEN rook_open_file "pieces" 1;
    ROOK_HALF_OPEN rook_half_open_file "pieces" 1;
    ROOK_SEVENTH rook_seventh "pieces" 1;
    ROOK_BEHIND rook_behind_passed "pieces" 1;
    PAWN_THREAT pawn_threat "threats" 1;
    MINOR_THREAT minor_threat "threats" 1;
    ROOK_THREAT rook_threat "threats" 1;
    HANGING_PIECE hanging_piece "threats" 1;
    HANGING_PAWN hanging_pawn "threats" 1;
    SHELTER_NEAR shelter_near "king shelter" 1;
    SHELTER_FAR shelter_far "king shelter" 1;
    SHELTER_NONE shelter_none "king shelter" 1;
    SHELTER_OPEN shelter_open "king shelter" 1;
    STORM_NEAR storm_near "king shelter" 1;
    STORM_FAR storm_far "king shelter" 1;
    // Indexed by the units of danger.
    DANGER king_danger "king danger" 40;
    LONE_KING_EDGE lone_king_edge "lone king" 1;
    LONE_KING_NEAR lone_king_near "lone king" 1;
    LONE_KING_CORNER lone_king_corner "lone king" 1;
    TEMPO tempo "move" 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_follow_each_other() {
        let end = GROUPS.iter().fold(0, |at, group| {
            assert_eq!(group.first, at, "{}", group.key);
            at + group.len
        });
        assert_eq!(end, FEATURES);
        assert_eq!(KING_TABLE, TABLES + 5 * 32);
    }
}
