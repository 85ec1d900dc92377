"""The recipes of the cookbook: their cases have the same results in process and on a service."""

import re

from walkthrough import FENCE, ROOT

COOKBOOK = (ROOT / "docs/cookbook.md").read_text()


def recipes():
    """The definition and the cases of each recipe, by the name of the app."""
    for section in re.split(r"^## ", COOKBOOK, flags=re.MULTILINE)[1:]:
        definition, cases = (fence["body"] for fence in FENCE.finditer(section))
        yield re.match(r"app: (\S+)\n", definition)[1], definition, cases


def test_the_cases_of_every_recipe_pass_in_process_and_on_a_service(reader):
    apps = reader.folder / "apps"
    apps.mkdir()
    names = []
    for name, definition, cases in recipes():
        names.append(name)
        (apps / f"{name}.yaml").write_text(definition)
        (apps / f"{name}.scenarios.yaml").write_text(f"app: {name}.yaml\nscenarios:\n{cases}")
    assert len(names) == len(set(names)) == COOKBOOK.count("\n## ")
    reader.environment["CAIRN_OPERATOR_KEY"] = "operator-key-of-the-tests"
    reader.run("cairn serve --apps apps --database recipes.sqlite")
    files = " ".join(f"apps/{name}.scenarios.yaml" for name in names)
    code, in_process = reader.run(f"cairn test {files}")
    assert code == 0, in_process
    code, on_service = reader.run(f"cairn test {files} --against $CAIRN_URL")
    assert (code, on_service) == (0, in_process)
