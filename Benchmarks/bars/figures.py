"""Rounds become medians with their spread."""

from statistics import median


def summary(rows):
    """Of each figure the median, and of the rate the lowest and the highest too."""
    result = {name: median(row[name] for row in rows) for name in rows[0]}
    rates = [row["rate"] for row in rows]
    return {**result, "lowest": min(rates), "highest": max(rates), "rounds": len(rows)}


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"
