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
    subprocess.run(["make", "engine"], stdout=subprocess.DEVNULL, check=True)
    engine = {"CAIRN_ENGINE": ".build/engine", "CAIRN_PREDICT": "delivery"}
    with servers.cairn(folder, "taps") as server, servers.cairn(folder, "engine", settings=engine) as other:
        command = [program, "Benchmarks/Taps/taps.mjs", server.url, other.url, *map(str, ROUND_TRIPS)]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def table(rows):
    lines = [f"{'round trip':>12}{'taps':>14}{'shown':>12}{'p99':>11}{'confirmed':>13}{'five taps':>13}{'in round trips':>17}"]
    for row in rows:
        trip = row["roundTrip"]
        lines.append(f"{trip:>9} ms{'plain':>14}{row['waited']:>9.1f} ms")
        for name, shown, late, confirmed, five in (
            ("predicted", "shown", "shownLate", "confirmed", "five"), ("engine", "engine", "engineLate", "engineConfirmed", "engineFive"),
        ):
            trips = f"{row[five] / trip:.2f}" if trip else "-"
            lines.append(
                f"{trip:>9} ms{name:>14}{row[shown]:>9.2f} ms{row[late]:>8.2f} ms{row[confirmed]:>10.1f} ms{row[five]:>10.1f} ms{trips:>17}")
    return lines
