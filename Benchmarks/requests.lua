-- One kind of request to many sessions in turn, for wrk: `wrk … -s requests.lua URL -- KIND FILE`.
-- FILE holds "ID SECRET" a line. Each kind is a pair of requests: a session gets the first in even rounds, the second in odd ones, so that
-- every select selects something else and no tree grows. Prints one line of figures: requests seconds refused broken p50 p99 (microseconds).

local kinds = {
  select = { '{"type":"select","tab":1}', '{"type":"select","tab":0}' },
  pushpop = { '{"step":"productIsPicked","params":{"productId":7}}', '{"type":"pop"}' },
  refused = { '{"step":"castIsPicked","params":{"withId":1}}', '{"step":"castIsPicked","params":{"withId":1}}' },
}

local rounds = { {}, {} }
local count = 0
local index = 0
local round = 1

local function prepare(kind, id, secret)
  local headers = { ["Authorization"] = "Bearer " .. secret }
  if kind == "livez" then return wrk.format("GET", "/livez", {}) end
  if kind == "get" then return wrk.format("GET", "/v1/sessions/" .. id, headers) end
  local name = kind:gsub("^minimal%-", "")
  if name ~= kind then headers["Prefer"] = "return=minimal" end
  headers["Content-Type"] = "application/json"
  local path = "/v1/sessions/" .. id .. "/actions"
  return wrk.format("POST", path, headers, kinds[name][1]), wrk.format("POST", path, headers, kinds[name][2])
end

function init(args)
  for line in io.lines(args[2]) do
    local id, secret = line:match("^(%S+) (%S+)$")
    local first, second = prepare(args[1], id, secret)
    count = count + 1
    rounds[1][count] = first
    rounds[2][count] = second or first
  end
end

function request()
  index = index + 1
  if index > count then
    index = 1
    round = 3 - round
  end
  return rounds[round][index]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("FIGURES %d %.6f %d %d %d %d\n", summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50), latency:percentile(99)))
end
