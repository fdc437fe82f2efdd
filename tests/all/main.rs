//! All tests that see the program from outside, in one binary: it is linked once.

mod agreement;
mod annotate;
mod bad_engines;
mod chess_rules;
mod chess_search;
mod chess_suites;
mod chess_text;
mod commands;
mod contest;
mod conversation;
mod documents;
mod experiments;
mod factors;
mod family;
mod gtp;
mod house;
#[cfg(target_os = "linux")]
mod lab_report;
mod laboratory;
mod little_memory;
mod memory;
mod multi_probcut;
mod nboard;
#[cfg(target_os = "linux")]
mod nothing_lost;
mod odd_trees;
mod othello_games;
mod othello_rules;
mod othello_search;
mod othello_text;
mod papers_real;
mod parallel;
mod play;
mod play_beginners;
mod play_nonsense;
#[cfg(target_os = "linux")]
mod play_terminal;
mod portable;
mod puzzles;
mod report_page;
mod searching;
#[cfg(feature = "web")]
mod serve;
mod shipped_report;
mod signature;
mod soak;
mod solver_exact;
mod steps;
mod strength;
mod suites;
mod swapped_trees;
mod terminal;
mod threads;
mod uci;
