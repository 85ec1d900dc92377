"""Describes the machine of a run, because figures cannot be compared without it."""

import os
import re
import subprocess


def said(*command):
    """The first line of a command's output, or "not there"."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except FileNotFoundError:
        return "not there"
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "not there"


def version(pattern, *command):
    found = re.search(pattern, said(*command))
    return found.group(1) if found else "not there"


def load():
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def describe(node):
    """Returns the properties of the machine. `node`: the path of the Node that the peer runs on, or None."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    changed = said("git", "status", "--porcelain", "--untracked-files=no") != "not there"
    return {
        "cpu": models[0] if models else "unknown",
        "cores": os.cpu_count(),
        "kernel": os.uname().release,
        "load": load(),
        "commit": said("git", "rev-parse", "HEAD") + (" and changes" if changed else ""),
        "swift": version(r"Swift version (\S+)", "swift", "--version"),
        "libmicrohttpd": version(r"(\S+)", "pkg-config", "--modversion", "libmicrohttpd"),
        "sqlite": version(r"(\S+)", "pkg-config", "--modversion", "sqlite3"),
        "node": version(r"v(\S+)", node, "--version") if node else "not there",
        "wrk": version(r"wrk (?:debian/)?(\S+)", "wrk", "--version"),
    }
