"""Measures only the engine, on one thread. Returns the output of Benchmarks/engine as rows."""

import re
import subprocess


def run():
    text = subprocess.run(["Benchmarks/engine"], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = []
    for line in text.splitlines():
        found = re.match(r"(.+?)\s{2,}([\d.]+) (\S.*?)\s+\(([\d.]+)-([\d.]+)\)$", line)
        if not found:
            raise SystemExit(f"what the engine printed is no figure: {line}")
        name, middle, unit, low, high = found.groups()
        rows.append({"name": name, "unit": unit, "median": float(middle), "lowest": float(low), "highest": float(high)})
    return rows


def table(rows):
    yield f"{'':56}{'median':>12} {'':10}{'lowest-highest':>24}"
    for row in rows:
        digits = 2 if row["unit"] == "ms" else 0
        spread = f"{row['lowest']:,.{digits}f}-{row['highest']:,.{digits}f}"
        yield f"{row['name']:56}{row['median']:>12,.{digits}f} {row['unit']:10}{spread:>24}"
