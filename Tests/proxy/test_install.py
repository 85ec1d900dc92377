"""scripts/install: the installed program runs without the build folder and without a Swift toolchain."""

import os
import subprocess

from workshop import CAIRN, ROOT, folder


def install(place):
    return subprocess.run([ROOT / "scripts/install", CAIRN, "/usr/local"], env={**os.environ, "DESTDIR": str(place)}, check=True,
                          capture_output=True, text=True).stdout


def test_the_program_runs_from_its_folder_and_finds_its_libraries_beside_it():
    with folder() as place:
        install(place)
        program = place / "usr/local/bin/cairn"
        check = subprocess.run([program, "serve", "--check", "--port", "0", "--apps", place / "etc/cairn/apps",
                                "--config", place / "etc/cairn/cairn.yaml"], cwd=place, capture_output=True, text=True)
        assert check.returncode == 0, check.stderr
        assert "shop" in check.stdout and "scenarios" not in check.stdout
        for name in ["cairn.service", "operations.md", "cairn.conf"]:
            assert (place / "usr/local/share/doc/cairn" / name).exists()


def test_the_engine_is_installed_if_it_was_built():
    with folder() as place:
        install(place)
        for name in ["engine.wasm", "engine.wasm.br"]:
            assert (place / "usr/local/share/cairn/engine" / name).exists() == (ROOT / ".build/engine" / name).exists()


def test_the_program_uses_its_own_libraries_even_if_swift_is_installed_D50():
    with folder() as place:
        install(place)
        program = (place / "usr/local/bin/cairn").resolve()
        needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        paths = [line.split()[2] for line in needed.splitlines() if line.strip().startswith(("libswift", "libFoundation"))]
        assert paths and all(path.startswith(str(program.parent)) for path in paths), needed
        assert "not found" not in needed


def test_the_unit_reads_operator_keys_that_only_root_can_read_D51():
    with folder() as place:
        install(place)
        keys = place / "etc/cairn/operators"
        assert keys.stat().st_mode & 0o777 == 0o600
        unit = (place / "usr/local/share/doc/cairn/cairn.service").read_text().splitlines()
        assert "LoadCredential=operators:/etc/cairn/operators" in unit
        assert "Environment=CAIRN_OPERATOR_KEYS_FILE=%d/operators" in unit
        check = subprocess.run([place / "usr/local/bin/cairn", "serve", "--check", "--port", "0", "--apps", place / "etc/cairn/apps",
                                "--operator-keys-file", keys], cwd=place, capture_output=True, text=True)
        assert check.returncode == 0, check.stderr


def test_a_second_installation_keeps_the_settings_and_replaces_only_the_program():
    with folder() as place:
        install(place)
        settings, app = place / "etc/cairn/cairn.yaml", place / "etc/cairn/apps/shop.yaml"
        settings.write_text("port: 9000\n")
        app.write_text("# mine\n" + app.read_text())
        before = (place / "usr/local/lib/cairn/cairn").stat().st_ino
        install(place)
        assert settings.read_text() == "port: 9000\n" and app.read_text().startswith("# mine\n")
        assert (place / "usr/local/lib/cairn/cairn").stat().st_ino != before
