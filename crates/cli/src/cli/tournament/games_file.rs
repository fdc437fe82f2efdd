//! The file for the games of a match.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::console::note;
use plyground_study::files::GrowingFile;

/// The file for the games, if one is wanted. It is opened before the first game, so that no game is
/// played in vain. What is in the file already is replaced at the end of the match.
pub(super) struct GamesFile(Option<(PathBuf, GrowingFile, u32)>);

impl GamesFile {
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<GamesFile> {
        let Some(path) = path else { return Ok(GamesFile(None)) };
        let file = GrowingFile::open(path).with_context(|| cannot_write(path))?;
        Ok(GamesFile(Some((path.into(), file, 0))))
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn write(&mut self, game: &str) -> anyhow::Result<()> {
        let Some((path, file, count)) = &mut self.0 else { return Ok(()) };
        file.write(format!("{game}\n").as_bytes()).with_context(|| cannot_write(path))?;
        *count += 1;
        Ok(())
    }

    /// Puts the file in its place, if the match ended well. Otherwise the file that was there stays, and
    /// the games are beside it.
    pub(super) fn finish<T>(self, played: anyhow::Result<T>) -> anyhow::Result<T> {
        let Some((path, file, count)) = self.0 else { return played };
        if played.is_err() && count > 0 {
            note(&format!("games written before the error: {count}, in {}", shown(&file)));
        }
        let played = played?;
        file.finish().with_context(|| cannot_write(&path))?;
        Ok(played)
    }
}

fn shown(file: &GrowingFile) -> impl std::fmt::Display {
    file.written_to().display()
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
