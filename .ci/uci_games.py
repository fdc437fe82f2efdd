#!/usr/bin/env python3
"""Whole games of chess over UCI with an independent client, python-chess.

uci_games.py [PROGRAM]: plays `PROGRAM uci` against itself under several limits, ponders, analyses
several lines, and checks every move, variation, mate and time. Exits with 1 if anything is wrong.
"""

import argparse
import logging
import sys
import time

import chess
import chess.engine
from chess.engine import INFO_ALL, Limit

# What a busy machine may add to a time.
SLACK = 0.5
# Longer games are broken off.
MOST_PLIES = 300

OPENINGS = ["", "e2e4 c7c5", "d2d4 g8f6 c2c4 e7e6", "g1f3 d7d5", "e2e4 e7e5 g1f3 b8c6", "c2c4 e7e5"]

MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
    ("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1),
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
]

faults = []


def fault(text):
    faults.append(text)
    print(f"FAULT: {text}", flush=True)


class Suspicion(logging.Handler):
    """What python-chess finds strange, it only logs: an illegal move in a variation, say."""

    def emit(self, record):
        fault(f"python-chess: {record.getMessage()}")


def check_line(board, info, context):
    """A variation is legal, and a mate that it shows to the end is one."""
    line = info.get("pv", [])
    end = board.copy(stack=False)
    for move in line:
        if move not in end.legal_moves:
            return fault(f"{context}: {move} in the variation {line} is illegal")
        end.push(move)
    mate = info["score"].relative.mate() if "score" in info else None
    if mate is not None and mate != 0:
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if len(line) > plies or (len(line) == plies and not end.is_checkmate()):
            fault(f"{context}: mate {mate}, but {line} in {board.fen()}")


class Clock:
    """Both sides' time, as a referee keeps it."""

    def __init__(self, seconds, increment):
        self.left = {chess.WHITE: seconds, chess.BLACK: seconds}
        self.increment = increment

    def limit(self):
        return Limit(
            white_clock=self.left[chess.WHITE],
            black_clock=self.left[chess.BLACK],
            white_inc=self.increment,
            black_inc=self.increment,
        )

    def used(self, side, seconds, context):
        self.left[side] -= seconds
        if self.left[side] < -SLACK:
            fault(f"{context}: {-self.left[side]:.2f} s over the time")
        self.left[side] = max(self.left[side], 0.0) + self.increment


def play(engine, opening, limit, name, ponder=False):
    """Plays a game to its end; `limit` is a limit or a clock."""
    board = chess.Board()
    for move in opening.split():
        board.push_uci(move)
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < MOST_PLIES:
        context = f"{name}, ply {board.ply()}"
        now = limit.limit() if isinstance(limit, Clock) else limit
        started = time.monotonic()
        result = engine.play(board, now, game=game, info=INFO_ALL, ponder=ponder)
        took = time.monotonic() - started
        if result.move is None or result.move not in board.legal_moves:
            return fault(f"{context}: {result.move} is illegal in {board.fen()}")
        if isinstance(limit, Clock):
            limit.used(board.turn, took, context)
        if now.time is not None and took > now.time + SLACK:
            fault(f"{context}: took {took:.2f} s of {now.time} s")
        if now.depth is not None and result.info.get("depth", 0) > now.depth:
            fault(f"{context}: searched to depth {result.info['depth']}")
        if now.nodes is not None and result.info.get("nodes", 0) > now.nodes + 5_000:
            fault(f"{context}: searched {result.info['nodes']} nodes")
        check_line(board, result.info, context)
        board.push(result.move)
    print(f"{name}: {board.result(claim_draw=True)} after {board.ply()} plies", flush=True)
    return None


def analyse(engine):
    """Several lines, best first, each with a move of its own; mates; stops."""
    for fen in [chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]:
        board = chess.Board(fen)
        infos = engine.analyse(board, Limit(depth=6), multipv=4)
        firsts = [info["pv"][0] for info in infos]
        if len(infos) != 4 or len(set(firsts)) != 4:
            fault(f"four lines of {fen} begin with {firsts}")
        values = [info["score"].relative.score(mate_score=100_000) for info in infos]
        if values != sorted(values, reverse=True):
            fault(f"the lines of {fen} are worth {values}")
        for number, info in enumerate(infos):
            check_line(board, info, f"line {number + 1} of {fen}")
        root = [chess.Move.from_uci(move) for move in ("a2a3", "a2a4")]
        info = engine.analyse(board, Limit(nodes=5_000), root_moves=root)
        if info["pv"][0] not in root:
            fault(f"{info['pv'][0]} was not among the moves to choose from")
    for fen, mate in MATES:
        board = chess.Board(fen)
        for limit in [Limit(depth=12), Limit(mate=abs(mate), depth=6)]:
            info = engine.analyse(board, limit)
            if info["score"].relative.mate() != mate:
                fault(f"{fen}: {info['score']}, expected mate {mate}")
            check_line(board, info, fen)
    board = chess.Board()
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
        started = time.monotonic()
        analysis.stop()
        best = analysis.wait()
    if time.monotonic() - started > SLACK or best.move not in board.legal_moves:
        fault(f"an endless analysis ended with {best}")
    print("analysis: lines, mates, a stop", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/plyground")
    program = parser.parse_args().program
    logging.getLogger("chess.engine").addHandler(Suspicion(level=logging.WARNING))
    started = time.monotonic()
    with chess.engine.SimpleEngine.popen_uci([program, "uci"], timeout=60) as engine:
        engine.configure({"Hash": 8})
        play(engine, OPENINGS[0], Clock(2.0, 0.01), "2 s + 0.01 s")
        play(engine, OPENINGS[1], Clock(0.2, 0.0), "0.2 s for a game")
        play(engine, OPENINGS[2], Limit(time=0.02), "0.02 s a move")
        play(engine, OPENINGS[3], Limit(depth=4), "depth 4")
        play(engine, OPENINGS[4], Limit(nodes=3_000), "3000 nodes")
        play(engine, OPENINGS[5], Clock(2.0, 0.01), "pondering", ponder=True)
        engine.configure({"Algorithm": "mtd-f", "Clear Hash": None})
        play(engine, OPENINGS[2], Limit(time=0.01), "MTD(f), 0.01 s a move")
        engine.configure({"Algorithm": "pvs"})
        analyse(engine)
        engine.ping()
    code = engine.close()
    if code not in (None, 0):
        fault(f"exit code {code}")
    print(f"{len(faults)} faults in {time.monotonic() - started:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
