"""What a tap of the JavaScript client takes at several round trips: until it is shown, and until the service has confirmed it."""

import json
import shutil
import subprocess

from bars import servers

ROUND_TRIPS = (0, 100, 300)


def run(folder):
    """The figures of each round trip, in milliseconds."""
    program = servers.nodejs() or shutil.which("node")
    if not program:
        raise SystemExit("there is no Node: run scripts/install-needed bench")
    with servers.cairn(folder, "taps") as server:
        command = [program, "Benchmarks/Taps/taps.mjs", server.url, *map(str, ROUND_TRIPS)]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def table(rows):
    lines = [f"{'round trip':>12}{'without predict':>18}{'predicted':>12}{'p99':>8}{'confirmed':>12}{'five taps':>12}{'in round trips':>17}"]
    for row in rows:
        trips = f"{row['five'] / row['roundTrip']:.2f}" if row["roundTrip"] else "-"
        lines.append(
            f"{row['roundTrip']:>9} ms{row['waited']:>15.1f} ms{row['shown']:>9.2f} ms{row['shownLate']:>5.2f} ms{row['confirmed']:>9.1f} ms"
            f"{row['five']:>9.1f} ms{trips:>17}")
    return lines
