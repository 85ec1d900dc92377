"""packaging/compose.yaml and packaging/kubernetes use only settings, flags, endpoints and ports of the program, and the user of the image. No container runs."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.request

import pytest
import yaml

from workshop import CAIRN, ROOT, Site, cairn, folder, free_port, nginx

DOCKERFILE = (ROOT / "Dockerfile").read_text()
OPERATIONS = (ROOT / "docs/operations.md").read_text()
COMPOSE = yaml.safe_load((ROOT / "packaging/compose.yaml").read_text())
MANIFESTS = {path.name: list(yaml.safe_load_all(path.read_text())) for path in sorted((ROOT / "packaging/kubernetes").glob("*.yaml"))}
IMAGE = dict(re.findall(r"(CAIRN_\w+)=(\S+)", DOCKERFILE[DOCKERFILE.index("\nENV "):]))
USER = int(re.search(r"^USER (\d+)$", DOCKERFILE, re.M)[1])
# The longest time that a stop takes after stopDelay.
STOP = int(re.search(r"`stopDelay` plus (\d+) s", OPERATIONS)[1])
URL = "postgres://cairn:a-password@127.0.0.1:1/cairn?sslmode=disable"


class Node:
    """A container of the image: its arguments, its own variables, and where its files come from."""

    def __init__(self, title, arguments, own, mounts):
        self.title, self.arguments, self.own, self.mounts = title, arguments or ["serve", "--config", "/etc/cairn/cairn.yaml"], own, mounts
        self.variables = {**IMAGE, **own}

    def __repr__(self):
        return self.title


def of(name, kind):
    return [item for item in MANIFESTS[name] if item["kind"] == kind]


def pods(name):
    return [(item, item["spec"]["template"]["spec"]) for item in MANIFESTS[name] if "template" in item.get("spec", {})]


def compose_nodes():
    for name, service in COMPOSE["services"].items():
        if service["image"] == "cairn":
            mounts = [f"/run/secrets/{secret}" for secret in service["secrets"]] + [volume.split(":")[1] for volume in service.get("volumes", [])]
            yield Node(name, service.get("command"), service["environment"], mounts)


def kubernetes_nodes():
    for name in MANIFESTS:
        for item, pod in pods(name):
            for container in pod["containers"]:
                maps = [entry["configMapRef"]["name"] for entry in container["envFrom"]]
                own = {}
                # The Job of publish.yaml uses the ConfigMap of the nodes.
                for source in of(name, "ConfigMap") or of("cluster.yaml", "ConfigMap"):
                    if source["metadata"]["name"] in maps:
                        own |= source["data"]
                yield Node(f"{name}:{item['kind']}", container["args"], own, [mount["mountPath"] for mount in container["volumeMounts"]])


NODES = [*compose_nodes(), *kubernetes_nodes()]
PODS = [(name, item, pod) for name in MANIFESTS for item, pod in pods(name)]
SERVING = [(name, item, pod) for name, item, pod in PODS if item["kind"] != "Job"]


@functools.cache
def helped(*command):
    return subprocess.run([CAIRN, *command, "--help"], capture_output=True, text=True, check=True).stdout


def seconds(text):
    count, unit = re.fullmatch(r"(\d+)(s|m)", text).groups()
    return int(count) * (60 if unit == "m" else 1)


def test_there_are_nodes_of_both_kinds():
    assert [str(node) for node in NODES] == [
        "cairn", "apps", "node-1", "node-2", "cluster.yaml:Deployment", "publish.yaml:Job", "single.yaml:StatefulSet"]


@pytest.mark.parametrize("node", NODES, ids=str)
def test_every_variable_is_a_setting_and_every_flag_exists(node):
    settings = set(re.findall(r"CAIRN_[A-Z_]+[A-Z]", helped("serve")))
    assert set(node.variables) <= settings
    words = [word for word in node.arguments if not word.startswith(("-", "/"))]
    flags = [word for word in node.arguments if word.startswith("-")]
    assert set(flags) <= set(re.findall(r"--[a-z-]+", helped(*words)))


@pytest.mark.parametrize("node", NODES, ids=str)
def test_every_file_that_a_node_names_is_mounted_or_in_the_image(node):
    named = [value for value in [*node.own.values(), *node.arguments] if value.startswith("/")]
    for path in named:
        assert any(pathlib.PurePath(path).is_relative_to(mount) for mount in node.mounts) or path == "/etc/cairn/cairn.yaml", path


def placed(node, place):
    """The arguments and variables of a node, with its files in a temporary folder."""
    (place / "data").mkdir()
    for name, text in [("operators", "ops: a-key-of-an-operator"), ("database-url", URL), ("settings", f"secretKey: {'A' * 43}=")]:
        (place / name).write_text(text)
    shutil.copy(place / "settings", place / "cairn.yaml")
    paths = [("/run/secrets/cairn", place), ("/run/secrets", place), ("/etc/cairn/apps", ROOT / "config/apps"),
             ("/etc/cairn/cairn.yaml", ROOT / "config/cairn.yaml"), ("/var/lib/cairn", place / "data")]

    def moved(text):
        for old, new in paths:
            if text.startswith(old):
                return f"{new}{text.removeprefix(old)}"
        return text

    # The engine is built for the image; here it may be missing.
    return [moved(word) for word in node.arguments], {name: moved(value) for name, value in node.variables.items() if name != "CAIRN_ENGINE"}


@pytest.mark.parametrize("node", NODES, ids=str)
def test_the_program_accepts_the_settings_of_a_node(node):
    with folder() as place:
        arguments, variables = placed(node, place)
        if arguments[0] == "serve":
            # The ports of the files may be in use on this machine.
            ports = ["--port", "0"] + (["--admin", "127.0.0.1:0"] if "CAIRN_ADMIN" in variables else [])
            arguments += ["--check", *ports]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
        ran = subprocess.run([CAIRN, *arguments], env={**clean, **variables}, cwd=place, capture_output=True, text=True)
        assert "is not a setting" not in ran.stdout + ran.stderr
        if "CAIRN_DATABASE_URL_FILE" in variables:
            # No database listens, so the only reason is that it cannot be reached.
            reasons = [line for line in ran.stderr.splitlines() if line != "cairn: a start would fail"]
            assert len(reasons) == 1 and "the database cairn@127.0.0.1:1/cairn cannot be reached" in reasons[0], ran.stderr
        else:
            assert ran.returncode == 0, ran.stderr
            assert "shop" in ran.stdout and re.search(r"^operators\n  ops$", ran.stdout, re.M)


@pytest.mark.parametrize("name", [name for name, _, _ in SERVING])
def test_every_probe_gets_200_at_its_port(name):
    [(pod, settings)] = [(pod, of(name, "ConfigMap")[0]["data"]) for found, _, pod in SERVING if found == name]
    [container] = pod["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": int(IMAGE["CAIRN_PORT"]), "admin": int(settings["CAIRN_ADMIN"].split(":")[1])}
    paths = yaml.safe_load(subprocess.run([CAIRN, "openapi"], capture_output=True, text=True, check=True).stdout)["paths"]
    admin = free_port()
    with folder() as place, cairn(place, "--admin", f"127.0.0.1:{admin}") as (public, _):
        for probe in ["startupProbe", "livenessProbe", "readinessProbe"]:
            asked = container[probe]["httpGet"]
            assert asked["path"] in paths
            with urllib.request.urlopen(f"http://127.0.0.1:{ {'http': public, 'admin': admin}[asked['port']] }{asked['path']}") as response:
                assert response.status == 200, probe
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "http"}
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez", "a missing database must not cause a restart"


def test_the_time_for_a_stop_is_longer_than_its_delay_and_its_drain():
    for name, _, pod in SERVING:
        delay = of(name, "ConfigMap")[0]["data"].get("CAIRN_STOP_DELAY", IMAGE["CAIRN_STOP_DELAY"])
        assert pod["terminationGracePeriodSeconds"] > seconds(delay) + STOP, name
    for name, service in COMPOSE["services"].items():
        if service["image"] == "cairn":
            delay = service["environment"].get("CAIRN_STOP_DELAY", IMAGE["CAIRN_STOP_DELAY"])
            assert seconds(service["stop_grace_period"]) > seconds(delay) + STOP, name


def test_a_service_has_the_health_check_of_the_image():
    found = re.search(r"^HEALTHCHECK --interval=(\S+) --timeout=(\S+) --start-period=(\S+) CMD (\[.*\])$", DOCKERFILE, re.M)
    check = {"test": ["CMD", *json.loads(found[4])], "interval": found[1], "timeout": found[2], "start_period": found[3]}
    checks = {name: service["healthcheck"] for name, service in COMPOSE["services"].items() if service["image"] == "cairn"}
    assert checks == {"cairn": check, "apps": {"disable": True}, "node-1": check, "node-2": check}


def test_pods_run_as_the_user_of_the_image_and_without_rights():
    assert f"useradd --uid {USER} " in DOCKERFILE and f"install --directory --owner={USER} --group={USER} --mode=700 /var/lib/cairn" in DOCKERFILE
    for name, _, pod in PODS:
        assert pod["securityContext"].items() >= {"runAsNonRoot": True, "runAsUser": USER, "runAsGroup": USER, "fsGroup": USER}.items(), name
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}, name
        # The Service is named cairn, so Kubernetes would set CAIRN_PORT.
        assert pod["enableServiceLinks"] is False, name


def test_the_parts_of_a_manifest_refer_to_each_other():
    for name, item, pod in SERVING:
        labels = item["spec"]["template"]["metadata"]["labels"]
        assert item["spec"]["selector"]["matchLabels"] == labels
        [service] = of(name, "Service")
        assert service["spec"]["selector"] == labels
        assert [port["targetPort"] for port in service["spec"]["ports"]] == ["http"], "the admin port needs no credentials"
        for budget in of(name, "PodDisruptionBudget"):
            assert budget["spec"]["selector"]["matchLabels"] == labels
            assert budget["spec"]["maxUnavailable"] < item["spec"]["replicas"]
    for name, item, pod in PODS:
        volumes = {volume["name"] for volume in pod["volumes"]} | {claim["metadata"]["name"] for claim in item["spec"].get("volumeClaimTemplates", [])}
        for container in pod["containers"]:
            assert {mount["name"] for mount in container["volumeMounts"]} == volumes, name
    assert [item["spec"]["replicas"] for item in of("cluster.yaml", "Deployment") + of("single.yaml", "StatefulSet")] == [2, 1]
    assert of("cluster.yaml", "PodDisruptionBudget")


def test_the_pages_create_every_secret_and_every_configmap():
    pages = OPERATIONS + (ROOT / "docs/cluster.md").read_text()
    for _, _, pod in PODS:
        for volume in pod["volumes"]:
            kind, named = ("secret generic", volume["secret"]["secretName"]) if "secret" in volume else ("configmap", volume["configMap"]["name"])
            assert f"kubectl create {kind} {named} " in pages
    for secret in COMPOSE["secrets"].values():
        assert secret["file"] in pages


def test_the_parts_of_the_compose_file_refer_to_each_other():
    services = COMPOSE["services"]
    for name, service in services.items():
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"]), name
        assert set(service.get("networks", {})) <= set(COMPOSE["networks"]), name
        for other in service.get("depends_on", {}):
            assert services[other]["profiles"] == service["profiles"], name
    assert {profile: [name for name in services if services[name]["profiles"] == [profile]] for profile in ["sqlite", "postgres"]} == {
        "sqlite": ["cairn"], "postgres": ["database", "apps", "node-1", "node-2", "nginx"]}
    assert services["cairn"]["ports"] == [f"127.0.0.1:8080:{IMAGE['CAIRN_PORT']}"]
    proxy = services["nginx"]["networks"]["cluster"]["ipv4_address"]
    assert all(services[name]["environment"]["CAIRN_TRUSTED_PROXIES"] == proxy for name in ["node-1", "node-2"])


def test_the_upstream_of_nginx_consists_of_the_nodes():
    proxy = COMPOSE["services"]["nginx"]
    shell, option, script = proxy["command"]
    assert "./nginx/cairn.conf:/etc/cairn/cairn.conf:ro" in proxy["volumes"] and "$" not in script, "Compose would replace a variable"
    with folder() as place:
        for old, new in [("/etc/cairn/cairn.conf", ROOT / "packaging/nginx/cairn.conf"), ("/etc/nginx/conf.d/default.conf", place / "default.conf"),
                         ("exec nginx -g 'daemon off;'", "true")]:
            assert old in script
            script = script.replace(old, str(new))
        subprocess.run([shell, option, script], check=True)
        upstream = re.search(r"upstream cairn \{(.*?)\n\}", (place / "default.conf").read_text(), re.S)[1]
    nodes = [name for name in COMPOSE["services"] if name.startswith("node-")]
    assert len(nodes) == 2 and re.findall(r"server ([^;]+);", upstream) == [f"{name}:{IMAGE['CAIRN_PORT']}" for name in nodes]


@contextlib.contextmanager
def stub(name):
    """A server that responds to each GET with its name. Yields its port."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_nginx_sends_the_requests_of_one_session_to_one_of_two_nodes():
    with folder() as place, stub(b"1") as first, stub(b"2") as second, nginx(place, f"{first}; server 127.0.0.1:{second}") as (secure, _):
        site = Site(place, secure)
        used = []
        for session in range(32):
            nodes = {site.send("GET", f"/v1/sessions/{session}{rest}")[2] for rest in ["", "/stack", "/history?limit=1", "/events"]}
            assert len(nodes) == 1, session
            used += nodes
    assert set(used) == {b"1", b"2"}
