"""Combines rounds into medians with their spread."""

from statistics import median


def summary(rows):
    """Returns the median of each figure, and also the lowest and the highest rate."""
    result = {name: median(row[name] for row in rows) for name in rows[0]}
    rates = [row["rate"] for row in rows]
    return {**result, "lowest": min(rates), "highest": max(rates), "rounds": len(rows)}


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"
