"""scripts/install: what is installed runs without the folder it was built in, and without Swift's own."""

import os
import subprocess

from workshop import CAIRN, ROOT, folder


def install(place):
    return subprocess.run([ROOT / "scripts/install", CAIRN, "/usr/local"], env={**os.environ, "DESTDIR": str(place)}, check=True,
                          capture_output=True, text=True).stdout


def test_it_runs_from_where_it_was_put_and_finds_its_libraries_beside_it():
    with folder() as place:
        install(place)
        program = place / "usr/local/bin/cairn"
        check = subprocess.run([program, "serve", "--check", "--port", "0", "--apps", place / "etc/cairn/apps",
                                "--config", place / "etc/cairn/cairn.yaml"], cwd=place, capture_output=True, text=True)
        assert check.returncode == 0, check.stderr
        assert "shop" in check.stdout and "scenarios" not in check.stdout
        # Where Swift is installed its folder comes first: its libraries must be there all the same, each of them.
        needed = subprocess.run(["ldd", program.resolve()], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in needed.splitlines() if "/swift/" in line]
        assert all((place / "usr/local/lib/cairn" / name).exists() for name in names)
        for name in ["cairn.service", "operations.md", "cairn.conf"]:
            assert (place / "usr/local/share/doc/cairn" / name).exists()


def test_settings_that_are_there_stay_and_a_second_time_changes_the_program_alone():
    with folder() as place:
        install(place)
        settings, app = place / "etc/cairn/cairn.yaml", place / "etc/cairn/apps/shop.yaml"
        settings.write_text("port: 9000\n")
        app.write_text("# mine\n" + app.read_text())
        before = (place / "usr/local/lib/cairn/cairn").stat().st_ino
        install(place)
        assert settings.read_text() == "port: 9000\n" and app.read_text().startswith("# mine\n")
        assert (place / "usr/local/lib/cairn/cairn").stat().st_ino != before
