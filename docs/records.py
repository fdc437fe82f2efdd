#!/usr/bin/env python3
"""Reads the records of `plyground compare --out DIR` into pandas.

records.py DIR...: prints how many leaves, evaluations, nodes and seconds each algorithm takes, relative to
alpha-beta, as geometric means over positions. As a module: `frame(folder)` is a DataFrame with a row a
search, `relative(frame)` adds the ratios.
"""

import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

# Searches that differ in nothing but the algorithm have these in common.
SAME = ["game", "position", "depth", "memory", "table", "deepening", "update", "evaluator"]
COUNTS = ["leaves", "evaluations", "visits", "seconds"]
BASELINE = "alpha-beta"


def frame(folder):
    """The records of a folder, a row each. A torn last line is left out."""
    lines = (Path(folder) / "records.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    whole = "".join(line for line in lines if line.endswith("\n"))
    return pd.read_json(StringIO(whole), lines=True, dtype={"weights": str})


def relative(records, baseline=BASELINE):
    """Adds the columns `leaves_ratio` and so on: over the baseline on the same position."""
    same = [key for key in SAME if key in records]
    # What is missing, such as the size of a table, is the same as what is missing.
    known = {key: records[key].astype(object).where(records[key].notna(), "none") for key in same}
    keyed = records.assign(**known)
    base = keyed[(keyed.algorithm == baseline) & keyed.stopped.isna()]
    counts = [key for key in COUNTS if key in records]
    joined = keyed.merge(base[same + counts], on=same, suffixes=("", "_base"))
    for key in counts:
        joined[f"{key}_ratio"] = joined[key].astype(float) / joined[f"{key}_base"].astype(float)
    return joined[joined.stopped.isna()]


def geometric(ratios):
    """The geometric mean of the ratios that are known."""
    known = ratios[(ratios > 0) & np.isfinite(ratios)]
    return np.exp(np.log(known).mean()) if len(known) else np.nan


def main(folders):
    records = pd.concat([frame(folder) for folder in folders], ignore_index=True)
    ratios = relative(records)
    columns = [key for key in ratios if key.endswith("_ratio")]
    table = ratios.groupby(["game", "depth", "memory", "algorithm"])[columns].agg(geometric)
    table.columns = [key.removesuffix("_ratio") for key in columns]
    table["positions"] = ratios.groupby(["game", "depth", "memory", "algorithm"]).size()
    print(f"{len(records)} records; relative to {BASELINE}, geometric means over positions")
    print(table.round(2).to_string())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: records.py DIR...")
    main(sys.argv[1:])
