//! A file of games: what self-play writes and training reads.
//!
//! A shard begins with a [heading](ShardHeading) that says how its games were made. Each game follows
//! with its length and a checksum, so that a file can be read however it ended: what a killed process
//! left half written is recognised, and [`Shard::open`] cuts it off and goes on from there. What has whole
//! games behind it was not left by a killed process but damaged later: such a file is refused, and nothing
//! of it is cut off.
//!
//! ```text
//! "plyshard" version:u16 heading-length:u16 heading checksum:u32
//! ( length:u16 result:i16 (move:u16 value:i16)* checksum:u32 )*
//! ```
//!
//! Numbers are little-endian; the heading is text, `key=value` in lines. A move is its
//! [code](plyground_core::tree::GameTree::code).

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

const MAGIC: &[u8; 8] = b"plyshard";
const VERSION: u16 = 1;

/// The value of a ply that was not searched.
pub const NO_VALUE: i16 = i16::MIN;

/// One move of a game, and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedPly {
    /// The move's code.
    pub code: u16,
    /// The value of the position before the move, for the side to move; [`NO_VALUE`] if the move was
    /// drawn by lot.
    pub value: i16,
}

/// A game from the start of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The result for the side that began, in the game's own unit: 1, 0 or −1 in chess, discs in
    /// Othello.
    pub result: i16,
    /// The moves.
    pub plies: Vec<RecordedPly>,
}

/// How the games of a shard were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardHeading {
    /// The game's name.
    pub game: String,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the shard in the run.
    pub number: u64,
    /// How many games the shard has when it is complete.
    pub games: usize,
    /// How they were played, in the game's words: the nodes of a move, the engine's weights.
    pub settings: String,
}

impl ShardHeading {
    fn text(&self) -> String {
        let ShardHeading { game, seed, number, games, settings } = self;
        format!("game={game}\nseed={seed}\nnumber={number}\ngames={games}\nsettings={settings}")
    }

    fn parse(text: &str) -> Option<ShardHeading> {
        let mut lines = text.splitn(5, '\n');
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix('=');
        Some(ShardHeading {
            game: value("game")?.into(),
            seed: value("seed")?.parse().ok()?,
            number: value("number")?.parse().ok()?,
            games: value("games")?.parse().ok()?,
            settings: value("settings")?.into(),
        })
    }

    /// The name of the shard's file: runs with other seeds or settings may share a folder.
    pub fn file_name(&self) -> String {
        let settings = checksum(self.settings.as_bytes());
        format!("{}-{}-{settings:08x}-{:06}.shard", self.game, self.seed, self.number)
    }
}

/// Why a shard cannot be used.
#[derive(Debug, Error)]
pub enum ShardError {
    /// Reading or writing failed.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is no shard, or one of another version.
    #[error("{path}: expected games of self-play (version {VERSION}), found {found}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// A game was damaged after it was written: there are whole ones behind it.
    #[error(
        "{path}: game {game} is damaged, at byte {at}: its checksum is wrong; expected a file as it was \
         written, or none: without it, its games are played again"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the game in it, from 1.
        game: usize,
        /// Where the game begins.
        at: usize,
    },
    /// The file holds other games than expected.
    #[error("{path}: holds other games than its name says: {found:?}")]
    Other {
        /// The file.
        path: PathBuf,
        /// Its heading.
        found: Box<ShardHeading>,
    },
}

impl ShardError {
    fn io(path: &Path) -> impl Fn(io::Error) -> ShardError + use<> {
        let path = path.to_path_buf();
        move |error| ShardError::Io { path: path.clone(), error }
    }

    fn foreign(path: &Path, found: &str) -> ShardError {
        ShardError::Foreign { path: path.into(), found: found.into() }
    }
}

/// The checksum of a record: half of one is enough for so few bytes.
fn checksum(bytes: &[u8]) -> u32 {
    plyground_core::checksum::checksum(bytes) as u32
}

fn encode_heading(heading: &ShardHeading) -> Vec<u8> {
    let text = heading.text();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn encode_game(game: &RecordedGame) -> Vec<u8> {
    let mut bytes = (game.plies.len() as u16).to_le_bytes().to_vec();
    bytes.extend(game.result.to_le_bytes());
    for ply in &game.plies {
        bytes.extend(ply.code.to_le_bytes());
        bytes.extend(ply.value.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// The bytes before a checksum at `end`, if the checksum is right.
fn is_sound(bytes: &[u8], start: usize, end: usize) -> Option<bool> {
    let sum = u32::from_le_bytes(bytes.get(end..end + 4)?.try_into().ok()?);
    Some(sum == checksum(&bytes[start..end]))
}

/// The game at `at` and where it ends; `None` if there is no whole, sound game.
fn decode_game(bytes: &[u8], at: usize) -> Option<(RecordedGame, usize)> {
    let plies = usize::from(u16_at(bytes, at)?);
    let result = u16_at(bytes, at + 2)? as i16;
    let end = at + 4 + 4 * plies;
    if !is_sound(bytes, at, end)? {
        return None;
    }
    let ply = |chunk: &[u8]| RecordedPly {
        code: u16::from_le_bytes([chunk[0], chunk[1]]),
        value: i16::from_le_bytes([chunk[2], chunk[3]]),
    };
    let plies = bytes[at + 4..end].chunks_exact(4).map(ply).collect();
    Some((RecordedGame { result, plies }, end + 4))
}

/// The heading and where it ends.
fn decode_heading(path: &Path, bytes: &[u8]) -> Result<(ShardHeading, usize), ShardError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ShardError::foreign(path, "another kind of file"));
    }
    let torn = || ShardError::foreign(path, "a damaged heading");
    let version = u16_at(bytes, 8).ok_or_else(torn)?;
    if version != VERSION {
        return Err(ShardError::foreign(path, &format!("version {version}")));
    }
    let end = 12 + usize::from(u16_at(bytes, 10).ok_or_else(torn)?);
    if is_sound(bytes, 0, end) != Some(true) {
        return Err(torn());
    }
    let text = str::from_utf8(&bytes[12..end]).map_err(|_| torn())?;
    Ok((ShardHeading::parse(text).ok_or_else(torn)?, end + 4))
}

/// What a file of games holds.
#[derive(Clone, Debug)]
pub struct ShardContents {
    /// How the games were made.
    pub heading: ShardHeading,
    /// The games.
    pub games: Vec<RecordedGame>,
    /// Bytes at the end that are no whole game: a process was killed while it wrote, or writes just now.
    pub torn: usize,
}

/// Reads a file of games.
pub fn read(path: &Path) -> Result<ShardContents, ShardError> {
    let bytes = std::fs::read(path).map_err(ShardError::io(path))?;
    let (heading, at) = decode_heading(path, &bytes)?;
    let (games, end) = decode_games(path, &bytes, at)?;
    Ok(ShardContents { heading, games, torn: bytes.len() - end })
}

/// The games from `at` on, and where the last of them ends. What follows it is no whole game; it is an error
/// if a whole game follows that.
fn decode_games(
    path: &Path,
    bytes: &[u8],
    mut at: usize,
) -> Result<(Vec<RecordedGame>, usize), ShardError> {
    let mut games = Vec::new();
    while let Some((game, end)) = decode_game(bytes, at) {
        games.push(game);
        at = end;
    }
    // A wrong length is an error too, so the next game may begin anywhere.
    if (at + 1..bytes.len()).any(|later| decode_game(bytes, later).is_some()) {
        let game = games.len() + 1;
        return Err(ShardError::Damaged { path: path.into(), game, at });
    }
    Ok((games, at))
}

/// A shard that is being written. It is locked until it is dropped.
pub struct Shard {
    path: PathBuf,
    file: File,
    heading: ShardHeading,
    written: usize,
}

impl Shard {
    /// Opens the shard with this heading in a folder, or begins it. What was left half written is cut
    /// off. `None` if another process is writing it.
    pub fn open(folder: &Path, heading: ShardHeading) -> Result<Option<Shard>, ShardError> {
        let path = folder.join(heading.file_name());
        let failed = ShardError::io(&path);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(&failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&failed)?;
        let beginning = encode_heading(&heading);
        let (mut at, mut written) = (beginning.len(), 0);
        if bytes.len() < beginning.len() && beginning.starts_with(&bytes) {
            file.seek(SeekFrom::Start(0)).map_err(&failed)?;
            file.write_all(&beginning).map_err(&failed)?;
        } else {
            let (found, _) = decode_heading(&path, &bytes)?;
            if found != heading {
                return Err(ShardError::Other { path, found: Box::new(found) });
            }
            let (games, end) = decode_games(&path, &bytes, at)?;
            (at, written) = (end, games.len());
        }
        file.set_len(at as u64).map_err(&failed)?;
        file.seek(SeekFrom::Start(at as u64)).map_err(&failed)?;
        Ok(Some(Shard { path, file, heading, written }))
    }

    /// How many games it has so far.
    pub fn written(&self) -> usize {
        self.written
    }

    /// Has it all its games?
    pub fn is_complete(&self) -> bool {
        self.written >= self.heading.games
    }

    /// Adds a game.
    pub fn push(&mut self, game: &RecordedGame) -> Result<(), ShardError> {
        self.file.write_all(&encode_game(game)).map_err(ShardError::io(&self.path))?;
        self.written += 1;
        if self.is_complete() {
            self.file.sync_data().map_err(ShardError::io(&self.path))?;
        }
        Ok(())
    }
}

/// The shards of one game in a folder, by name.
pub fn shards(folder: &Path, game: &str) -> Result<Vec<PathBuf>, ShardError> {
    let failed = ShardError::io(folder);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(&format!("{game}-")) && name.ends_with(".shard") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// All games of a folder, in the order of the files.
pub fn games(folder: &Path, game: &str) -> Result<Vec<RecordedGame>, ShardError> {
    let mut games = Vec::new();
    for path in shards(folder, game)? {
        games.extend(read(&path)?.games);
    }
    Ok(games)
}

/// One game of this number is held out: nothing is learnt from it, and errors are measured on it.
const HELD_OUT: usize = 12;

/// Is a game held out, by its number among all games?
pub fn is_held_out(number: usize) -> bool {
    number % HELD_OUT == HELD_OUT - 1
}

/// The games to learn from, and those that are held out.
pub fn parted(games: &[RecordedGame]) -> (Vec<&RecordedGame>, Vec<&RecordedGame>) {
    let numbered = games.iter().enumerate();
    let (held_out, learnt): (Vec<_>, Vec<_>) =
        numbered.partition(|(number, _)| is_held_out(*number));
    let games = |numbered: Vec<(usize, _)>| numbered.into_iter().map(|(_, game)| game).collect();
    (games(learnt), games(held_out))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heading(games: usize) -> ShardHeading {
        let settings = "nodes=7 weights=1f".to_owned();
        ShardHeading { game: "nim".into(), seed: 5, number: 3, games, settings }
    }

    fn games() -> impl Strategy<Value = Vec<RecordedGame>> {
        let ply =
            (any::<u16>(), any::<i16>()).prop_map(|(code, value)| RecordedPly { code, value });
        let game = (any::<i16>(), prop::collection::vec(ply, 0..40))
            .prop_map(|(result, plies)| RecordedGame { result, plies });
        prop::collection::vec(game, 0..8)
    }

    fn write(folder: &Path, games: &[RecordedGame]) -> PathBuf {
        let mut shard = Shard::open(folder, heading(8)).unwrap().unwrap();
        games.iter().for_each(|game| shard.push(game).unwrap());
        folder.join(heading(8).file_name())
    }

    proptest! {
        #[test]
        fn games_are_read_back(games in games()) {
            let folder = tempfile::tempdir().unwrap();
            let contents = read(&write(folder.path(), &games)).unwrap();
            prop_assert_eq!((contents.heading, contents.torn), (heading(8), 0));
            prop_assert_eq!(contents.games, games);
        }

        /// However a file was cut, the whole games of it stay, and the shard goes on after them.
        #[test]
        fn a_torn_file_goes_on(games in games(), cut in any::<prop::sample::Index>()) {
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &games);
            let bytes = std::fs::read(&path).unwrap();
            let kept = cut.index(bytes.len());
            std::fs::write(&path, &bytes[..kept]).unwrap();
            let mut shard = Shard::open(folder.path(), heading(8)).unwrap().unwrap();
            let whole = shard.written();
            prop_assert!(whole <= games.len());
            games[whole..].iter().for_each(|game| shard.push(game).unwrap());
            drop(shard);
            prop_assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }

        /// A flipped bit never changes a game and never costs one behind it: the file is refused, unless the
        /// bit is in the last game. Nothing is cut off.
        #[test]
        fn a_flipped_bit_is_found(games in games(), at in any::<prop::sample::Index>(), bit in 0..8u32) {
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &games);
            let mut bytes = std::fs::read(&path).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            std::fs::write(&path, &bytes).unwrap();
            let found = read(&path);
            match Shard::open(folder.path(), heading(8)) {
                Ok(shard) => {
                    let contents = found.unwrap();
                    prop_assert!(contents.torn > 0);
                    prop_assert_eq!(&contents.games[..], &games[..games.len() - 1]);
                    prop_assert_eq!(shard.unwrap().written(), games.len() - 1);
                }
                Err(error) => {
                    prop_assert_eq!(found.unwrap_err().to_string(), error.to_string());
                    prop_assert_eq!(std::fs::read(&path).unwrap(), bytes);
                }
            }
        }
    }

    #[test]
    fn a_shard_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let first = Shard::open(folder.path(), heading(1)).unwrap();
        assert!(first.is_some());
        assert!(Shard::open(folder.path(), heading(1)).unwrap().is_none());
        drop(first);
        assert!(Shard::open(folder.path(), heading(1)).unwrap().is_some());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(heading(1).file_name());
        std::fs::write(&path, "a game").unwrap();
        let message = Shard::open(folder.path(), heading(1)).err().unwrap().to_string();
        assert!(message.contains("expected games of self-play"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), b"a game", "nothing is lost");
        std::fs::remove_file(&path).unwrap();
        drop(Shard::open(folder.path(), heading(1)).unwrap());
        std::fs::rename(&path, folder.path().join(heading(2).file_name())).unwrap();
        let message = Shard::open(folder.path(), heading(2)).err().map(|e| e.to_string());
        assert!(message.is_some_and(|text| text.contains("other games")));
    }
}
