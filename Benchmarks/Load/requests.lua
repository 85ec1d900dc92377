-- One kind of request to many sessions, for wrk: `wrk … -s requests.lua URL -- KIND FILE [uniform]`. FILE has a line "ID SECRET" per session, and all lines
-- have the same length. A session gets the two requests of its kind in turn, so that no tree grows. The sessions are used in order or, with `uniform`, at
-- random. `keyed` is `post` with a new Idempotency-Key each time. Prints the figures as JSON after the word FIGURES; times are in microseconds.

local ffi = require("ffi")

local push = '{"step":"search.webView","params":{"url":"https://qiita.com/items/0123456789"}}'
local kinds = {
  post = { push, '{"type":"pop"}' },
  minimal = { push, '{"type":"pop"}' },
  keyed = { push, '{"type":"pop"}' },
  refused = { '{"type":"popTo","screen":"loginTop"}', '{"type":"popTo","screen":"loginTop"}' },
}

local lines, width, count
local uniform, index = false, -1
local turns
local keyed, sent, run = false, 0, 0
local templates, requests = {}, { {}, {} }

-- The parts of a request: before the id, between id and secret, and after the secret.
local function template(kind, turn)
  local headers = { ["Authorization"] = "Bearer @secret@" }
  local text
  if kind == "get" then
    text = wrk.format("GET", "/v1/sessions/@id@", headers)
  else
    headers["Content-Type"] = "application/json"
    if kind == "keyed" then headers["Idempotency-Key"] = "@key@" end
    if kind == "minimal" then headers["Prefer"] = "return=minimal" end
    text = wrk.format("POST", "/v1/sessions/@id@/actions", headers, kinds[kind][turn])
  end
  return { text:match("^(.*)@id@(.*)@secret@(.*)$") }
end

local function format(number, turn)
  local id, secret = lines:sub(number * width + 1, number * width + width):match("^(%S+) (%S+)")
  local parts = templates[turn]
  local text = parts[1] .. id .. parts[2] .. secret .. parts[3]
  if not keyed then return text end
  sent = sent + 1
  return (text:gsub("@key@", string.format("bench-%08x-%012d", run, sent)))
end

function init(args)
  for turn = 1, 2 do templates[turn] = template(args[1], turn) end
  keyed, run = args[1] == "keyed", os.time()
  uniform = args[3] == "uniform"
  local file = assert(io.open(args[2], "rb"))
  lines = file:read("*a")
  file:close()
  width = assert(lines:find("\n", 1, true))
  count = #lines / width
  turns = ffi.new("uint8_t[?]", count)
  math.randomseed(os.time())
  -- With few sessions, all requests are created once. With many, each is created when it is sent, because wrk would need a gigabyte for all of them.
  if count <= 10000 and not keyed then
    for number = 0, count - 1 do
      for turn = 1, 2 do requests[turn][number] = format(number, turn) end
    end
  end
end

function request()
  if uniform then index = math.random(0, count - 1) else index = (index + 1) % count end
  local turn = turns[index] + 1
  turns[index] = 2 - turn
  return requests[turn][index] or format(index, turn)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'FIGURES {"requests":%d,"seconds":%.6f,"refused":%d,"broken":%d,"p50":%d,"p99":%d,"p999":%d,"longest":%d}\n',
    summary.requests, summary.duration / 1e6, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max))
end
