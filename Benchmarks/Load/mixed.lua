-- Mixed requests for wrk: `wrk … -s mixed.lua URL -- FILE`. FILE has a line "ID SECRET" per session. Sends in turn reads, moves, starts of sessions, links and
-- wrong input. Prints the number of responses per status, `UNEXPECTED n` with the number of unexpected ones, and `P99 n` in microseconds.

local sessions = {}
local count, index = 0, 0
local threads = {}
local expected = { [200] = true, [201] = true, [400] = true, [401] = true, [404] = true, [409] = true, [422] = true }

function setup(thread) table.insert(threads, thread) end

local function post(path, headers, body)
  headers["Content-Type"] = "application/json"
  return wrk.format("POST", path, headers, body)
end

local function session() return sessions[index % count + 1] end

local kinds = {
  function(own, headers) return wrk.format("GET", own, headers) end,
  function(own, headers) return post(own .. "/actions", headers, '{"step":"productIsPicked","params":{"productId":7}}') end,
  function(own, headers) return wrk.format("GET", own .. "/stack", headers) end,
  function(own, headers) return post(own .. "/actions", headers, '{"type":"popToRoot"}') end,
  function(own, headers) return post(own .. "/open", headers, '{"url":"shop://shop.example/products/5"}') end,
  function(own, headers) return post(own .. "/actions", headers, '{"type":"popToRoot"}') end,
  function() return post("/v1/sessions", {}, '{"app":"shop","accessToken":"soak","label":"passing"}') end,
  function(own, headers) return post(own .. "/actions", headers, '{"step":"noSuchStep"}') end,
  function(own, headers) return post(own .. "/actions", headers, '{"step":') end,
  function(own, headers) return post(own .. "/open", headers, '{"url":"shop://elsewhere.example/"}') end,
  function(own) return wrk.format("GET", own, { ["Authorization"] = "Bearer wrong" }) end,
  function(own, headers) return post(own .. "/actions", headers, '{"step":"termsAreClosed"}') end,
  function(own, headers) return wrk.format("GET", own .. "/history?limit=5", headers) end,
  function() return wrk.format("GET", "/nowhere", {}) end,
}

function init(args)
  for line in io.lines(args[1]) do
    local id, secret = line:match("^(%S+) (%S+)$")
    count = count + 1
    sessions[count] = { "/v1/sessions/" .. id, secret }
  end
  statuses = ""
  seen = {}
end

function request()
  index = index + 1
  local own = session()
  return kinds[index % #kinds + 1](own[1], { ["Authorization"] = "Bearer " .. own[2] })
end

function response(status)
  seen[status] = (seen[status] or 0) + 1
  if seen[status] == 1 or index % 64 == 0 then
    local parts = {}
    for code, number in pairs(seen) do table.insert(parts, code .. ":" .. number) end
    statuses = table.concat(parts, " ")
  end
end

function done(summary, latency)
  local total, unexpected = {}, 0
  for _, thread in ipairs(threads) do
    for code, number in thread:get("statuses"):gmatch("(%d+):(%d+)") do
      total[tonumber(code)] = (total[tonumber(code)] or 0) + tonumber(number)
    end
  end
  for code, number in pairs(total) do
    print(string.format("status %d: about %d", code, number))
    if not expected[code] then unexpected = unexpected + number end
  end
  local errors = summary.errors
  print(string.format("REQUESTS %d in %.1f s", summary.requests, summary.duration / 1e6))
  print("P99 " .. latency:percentile(99))
  print("UNEXPECTED " .. unexpected .. " BROKEN " .. errors.connect + errors.read + errors.write + errors.timeout)
end
