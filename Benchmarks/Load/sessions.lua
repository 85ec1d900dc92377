-- Starts sessions, for wrk: `wrk … -s sessions.lua URL -- BODY COUNT FILE`. Writes a line "ID SECRET" per session to FILE. Ends the process once COUNT sessions
-- exist, because wrk itself would run for its whole time. FILE lacks the sessions that were being created at that moment.

local wanted, file
local made = 0

function init(args)
  wrk.method = "POST"
  wrk.path = "/v1/sessions"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer bench-operator-key"
  wrk.body = args[1]
  wanted = tonumber(args[2])
  file = assert(io.open(args[3], "w"))
  local asked = wrk.format()
  request = function() return asked end
end

function response(status, _, body)
  if status ~= 201 then
    io.stderr:write("a session was answered ", status, ": ", body, "\n")
    os.exit(1)
  end
  file:write(body:match('"id":"(s[^"]*)"'), " ", body:match('"secret":"([^"]*)"'), "\n")
  made = made + 1
  if made == wanted then
    file:close()
    os.exit(0)
  end
end
