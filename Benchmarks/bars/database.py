"""A PostgreSQL server in a folder, for benchmarks."""

import glob
import os
import shutil
import socket
import subprocess

TICK = os.sysconf("SC_CLK_TCK")


class Database:
    """A PostgreSQL server in a folder that belongs to the user postgres."""

    def __init__(self, folder, settings="-c max_wal_size=256MB", primary=None):
        """Starts the server, or a standby of the server `primary`. `settings` are options of `postgres`."""
        self.settings = settings
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        self.folder = f"{folder}/data"
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        if self.user:
            shutil.chown(folder, "postgres")
        if primary:
            self.run("pg_basebackup", "-D", self.folder, "-R", "-h", "127.0.0.1", "-p", str(primary.port), "-U", "cairn", "-c", "fast")
        else:
            self.run("initdb", "-D", self.folder, "--auth=trust", "--username=cairn", "--no-sync", "--no-instructions")
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, program, *arguments):
        subprocess.run([*self.user, f"{self.programs}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        self.run("pg_ctl", "start", "-w", "-D", self.folder, "-l", f"{self.folder}/log",
                 "-o", f"-h 127.0.0.1 -p {self.port} -k '' {self.settings}")

    def promote(self):
        """Promotes a standby to the primary."""
        self.run("pg_ctl", "promote", "-w", "-D", self.folder)

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "stop", "-w", "-m", mode, "-D", self.folder)

    def set(self, name, value):
        """Changes a setting that does not require a restart."""
        self.query(f"ALTER SYSTEM SET {name} = '{value}'")
        self.query("SELECT pg_reload_conf()")

    def query(self, text):
        done = subprocess.run([f"{self.programs}/psql", "-At", self.url, "-c", text], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    @property
    def url(self):
        return f"postgres://cairn@127.0.0.1:{self.port}/postgres"

    def cpu(self):
        """The CPU seconds of all processes of the server, in user and kernel mode, including ended processes."""
        with open(f"{self.folder}/postmaster.pid", encoding="ascii") as file:
            first = int(file.readline())
        with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as file:
            children = file.read().split()
        ticks = 0
        for process in (first, *children):
            try:
                with open(f"/proc/{process}/stat", encoding="ascii") as file:
                    fields = file.read().rpartition(")")[2].split()
            except FileNotFoundError:
                continue
            # The first process also counts its ended children.
            ticks += sum(map(int, fields[11:15] if process == first else fields[11:13]))
        return ticks / TICK
