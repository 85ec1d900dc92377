"""The dashboard packaging/grafana/cairn.json uses only metrics of /metrics, and uses all of them."""

import json
import re
import urllib.request

import pytest

from workshop import ROOT, cairn, folder

OF_PROMETHEUS = {"job", "instance", "le"}
# Metrics that the dashboard leaves out on purpose: the build, details of metrics that it draws, and counts that are 0 in normal operation.
NOT_DRAWN = {"cairn_build_info", "cairn_commit_batch_size_max", "cairn_sessions_checked_total", "cairn_reads_dropped_total",
             "cairn_erasure_age_seconds", "cairn_notifications_suppressed_total", "cairn_rollout_active", "cairn_rollout_sessions",
             "cairn_rollouts_damaged", "cairn_editions_damaged", "cairn_lost_revisions_total"}

@pytest.fixture(scope="module")
def metrics():
    """Every metric of a service, with its labels if it has any."""
    with folder() as place, cairn(place) as (port, _):
        url = f"http://127.0.0.1:{port}"
        request = urllib.request.Request(f"{url}/v1/sessions", b'{"app":"shop"}', {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()
        text = urllib.request.urlopen(f"{url}/metrics").read().decode()
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    labels = {}
    for name, inside in re.findall(r"^([a-z_]+)(?:\{(.*)\})? ", text, re.M):
        labels.setdefault(name, set()).update(re.findall(r'([a-z_]+)="', inside))
    return kinds, labels


def dashboard():
    return json.loads((ROOT / "packaging/grafana/cairn.json").read_text())


def queries():
    return [(panel["title"], target["expr"]) for panel in dashboard()["panels"] for target in panel.get("targets", [])]


def names(query):
    """The metrics of a query, which are the names before a brace."""
    return re.findall(r"([a-z_]+)\{", query)


def test_every_query_uses_existing_metrics(metrics):
    kinds, _ = metrics
    for title, query in queries():
        for name in names(query):
            base = re.sub(r"_(bucket|sum|count)$", "", name)
            assert name in kinds or kinds.get(base) == "histogram", f"{title}: {name}"
            if name in kinds and kinds[name] == "counter":
                assert f"rate({name}" in query, f"{title}: {name} only grows: its rate says something"


def test_every_grouping_label_exists(metrics):
    _, labels = metrics
    for title, query in queries():
        for group in re.findall(r"by \(([^)]*)\)", query):
            for label in set(re.split(r",\s*", group)) - OF_PROMETHEUS:
                shown = [labels[name] for name in names(query) if labels.get(name)]
                assert all(label in found for found in shown), f"{title}: {label}"


def test_every_label_of_a_legend_exists(metrics):
    _, labels = metrics
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                shown = [labels[name] for name in names(target["expr"]) if labels.get(name)]
                assert all(label in found for found in shown), f"{panel['title']}: {label}"


def test_every_metric_is_drawn(metrics):
    kinds, _ = metrics
    drawn = {re.sub(r"_(bucket|sum|count)$", "", name) for _, query in queries() for name in names(query)} | {
        name for _, query in queries() for name in names(query)}
    assert set(kinds) - drawn - NOT_DRAWN == set()
    assert NOT_DRAWN <= set(kinds), "what is left out is there"


def test_panels_do_not_cover_each_other():
    taken = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24, panel["title"]
        taken |= cells
