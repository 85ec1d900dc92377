# Sourced by `run` and `soak`: builds, starts a service of their own, and stops it when the script ends, however it ends.

folder="$(mktemp -d)"
service=""

stop_all() {
  code=$?
  trap - EXIT
  if [ -n "$service" ]; then
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
  fi
  rm -rf "$folder"
  exit "$code"
}
trap stop_all EXIT
trap 'exit 130' INT TERM

command -v wrk >/dev/null 2>&1 || scripts/install-needed bench

if [ -n "${CAIRN_BENCH_BINARY:-}" ]; then
  binary="$CAIRN_BENCH_BINARY"
else
  swift build -c release --product cairn >&2
  binary="$(swift build -c release --show-bin-path)/cairn"
fi

if [ ! -x "$folder/commits" ]; then
  for compiler in cc clang "$(dirname "$(command -v swift)")/clang"; do
    command -v "$compiler" >/dev/null 2>&1 && break
  done
  "$compiler" -O2 -o "$folder/commits" Benchmarks/commits.c -lsqlite3
fi

# Starts the service on a free port, on the folder's database; `url` and `service` (its process id) are set when it listens.
start_service() {
  : >"$folder/out"
  CAIRN_OPERATOR_KEY=bench CAIRN_DATABASE="$folder/cairn.sqlite" CAIRN_APPS=config/apps "$binary" serve --port 0 \
    >"$folder/out" 2>>"$folder/log" &
  service=$!
  url=""
  tries=0
  while [ -z "$url" ]; do
    kill -0 "$service" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    tries=$((tries + 1))
    [ "$tries" -lt 3000 ] || { echo "the service did not start" >&2; exit 1; }
    sleep 0.02
    url="$(sed -n 's/^Cairn listens on //p' "$folder/out")"
  done
}

# make_sessions BODY COUNT FILE: starts sessions; FILE gets "ID SECRET" a line.
make_sessions() {
  curl -sS -H 'Authorization: Bearer bench' -H 'Content-Type: application/json' -d "$1" "$url/v1/sessions#[1-$2]" |
    sed -n 's/.*"id":"\(s[^"]\{23\}\)".*"secret":"\([^"]*\)".*/\1 \2/p' >"$3"
  [ "$(wc -l <"$3")" -eq "$2" ] || { echo "only $(wc -l <"$3") of $2 sessions were started" >&2; exit 1; }
}

# metric NAME: the value of a metric without labels.
metric() { curl -sS "$url/metrics" | awk -v name="$1" '$1 == name { print $2 }'; }
