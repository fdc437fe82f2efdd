//! The searches of Othello and of chess, compiled once.
//!
//! Search is generic over the tree, and games know no search. What both together compile to is most of
//! the program's machine code, and the only part of it above them that has to be quick. It stands here
//! alone, so that it is optimised to the full, beside the compilation of the engine, whose texts and files
//! are not. The functions are never inlined: a caller in another crate would compile the searches again,
//! as badly as it is compiled itself.
//!
//! A game that somebody else brings needs no such place: its searches are compiled with it.

/// The searches of a game that plays selectively.
macro_rules! searches {
    ($tree:ty) => {
        use plyground_search::play::{self, PlayControl, PlayHistory, PlayOutcome, PlayRequest};
        use plyground_search::table::TranspositionTable;
        use plyground_search::{Outcome, SearchError, SearchSpec, Watcher, Workspace, search_in};

        /// Searches a position by an algorithm of the laboratory.
        #[inline(never)]
        pub fn search(
            tree: &$tree,
            workspace: &mut Workspace,
            spec: &SearchSpec,
            watch: Option<Watcher>,
        ) -> Result<Outcome<Move>, SearchError> {
            search_in(workspace, tree, spec, watch)
        }

        /// Searches a position selectively, for play.
        #[inline(never)]
        pub fn think(
            tree: &$tree,
            table: &TranspositionTable,
            history: &PlayHistory,
            threads: usize,
            request: PlayRequest<'_, Move>,
            control: &mut dyn PlayControl<Move>,
        ) -> PlayOutcome<Move> {
            play::think(tree, table, history, threads, request, control)
        }
    };
}

pub mod othello {
    //! The searches of Othello.

    use plyground_games::othello::{Move, Othello};

    searches!(Othello);
}

pub mod chess {
    //! The searches of chess.

    use plyground_core::memory::OutOfMemory;
    use plyground_games::chess::{Chess, Move};
    use plyground_search::mate::{self, MateOutcome, MateSpec};

    searches!(Chess);

    /// Looks for a mate that the side to move can force.
    #[inline(never)]
    pub fn find_mate(tree: &Chess, spec: &MateSpec) -> Result<MateOutcome<Move>, OutOfMemory> {
        mate::find_mate(tree, spec)
    }
}
