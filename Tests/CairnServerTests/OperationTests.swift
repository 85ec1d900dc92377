import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Logs and health` {
  @Test func `apps are listed and described`() throws {
    let workshop = try Workshop()
    let list = try workshop.send("GET", "/v1/apps")
    guard case .array(let apps)? = list["apps"] else { throw Workshop.NoSession(reply: list) }
    #expect(apps.map { $0["app"] } == ["lab", "qiita", "shop", "tablet"])
    let lab = try workshop.send("GET", "/v1/apps/lab")
    #expect(lab["definition"] == apps[0]["definition"])
    #expect(
      lab["screens"] == [
        ["screen": "anything", "params": ["value": "any"], "emits": ["go", "tick"]],
        ["screen": "first", "params": [:], "emits": ["go", "tick"]],
        ["screen": "long", "params": ["text": "string"], "emits": ["go", "tick"]],
        ["screen": "second", "params": ["n": "integer"], "emits": ["go", "tick"]],
      ])
    #expect(
      lab["links"] == [
        ["path": "/go/{n}", "hosts": [], "schemes": ["lab"], "query": [], "steps": ["go"], "broadcast": false, "guarded": false]
      ])
    #expect(
      try workshop.send("GET", "/v1/apps/labb")["detail"]
        == "no app with this name is served; did you mean lab?")
  }

  @Test func `HEAD returns the head of GET, and OPTIONS the allowed methods`() throws {
    let workshop = try Workshop()
    let get = try workshop.send("GET", "/v1/apps")
    let head = try workshop.send("HEAD", "/v1/apps")
    #expect(head.status == 200 && head.text.isEmpty && head.headers["content-length"] == get.headers["content-length"])
    let options = try workshop.send("OPTIONS", "/v1/sessions")
    #expect(options.status == 204 && options.headers["allow"] == "GET, HEAD, POST, DELETE, OPTIONS")
    #expect(try workshop.send("OPTIONS", "*").status == 204)
    #expect(try workshop.send("HEAD", "/nothing").status == 404)
  }

  @Test func `the parameter pretty indents the response`() throws {
    let workshop = try Workshop()
    #expect(try workshop.send("GET", "/v1/apps?pretty").text.contains("\n  "))
    #expect(!(try workshop.send("GET", "/v1/apps?pretty=false").text.contains("\n  ")))
    #expect(try workshop.send("GET", "/nothing?pretty").text.contains("\n  "))
  }

  @Test(.oneNode("it stops or breaks the store of one node")) func `readiness lists its parts, and fails as soon as the stop begins`()
    throws
  {
    let workshop = try Workshop()
    let ready = try workshop.send("GET", "/readyz")
    #expect(
      ready.status == 200 && ready.text == "[+]journal ok\n[+]store ok\n[+]sessions ok\n[+]rollouts ok\n[+]editions ok\n[+]definitions ok\n"
    )
    let json = try workshop.send("GET", "/readyz", headers: [("Accept", "application/json")])
    #expect(json["ready"] == true)
    workshop.service.leave()
    let gone = try workshop.send("GET", "/readyz")
    #expect(gone.status == 503 && gone.text.contains("[-]store failed: shutting down") && gone.headers["retry-after"] == "5")
    #expect(try workshop.send("GET", "/livez").text == "ok\n")
    #expect(try workshop.session("lab").created.status == 201)
  }

  @Test(.oneNode("it stops or breaks the store of one node"))
  func `with a failing journal requests are 503, the service is not ready, and the cause is only in the log`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    workshop.journal.fail(with: .io("a disk on fire"))
    let failed = try session.act(#"{"step":"go","params":{"n":1}}"#)
    #expect(failed.status == 503 && failed.code == "storage" && failed.headers["retry-after"] == "5")
    #expect(!failed.text.contains("fire"))
    #expect(workshop.log.all.contains { $0.hasPrefix("error storage") && $0.contains("a disk on fire") })
    #expect(try workshop.send("GET", "/readyz").status == 503)
    #expect(try session.get().revision == 1)
  }

  @Test(.oneNode("it stops or breaks the store of one node")) func `a full queue and a stopped store are 503 with Retry-After`() throws {
    let workshop = try Workshop(queue: 1)
    let session = try workshop.session("lab")
    workshop.journal.hold()
    defer { workshop.journal.release() }
    // The commit of the first post is held and the second post waits, so the queue is full.
    let replies = Monitor<[Int]>([])
    let path = "/v1/sessions/\(session.id)/actions"
    let body = #"{"step":"go","params":{"n":1}}"#
    var threads: [NamedThread] = []
    func post() throws {
      threads.append(
        try NamedThread("post") {
          let reply = try? workshop.send("POST", path, body, as: session.secret)
          replies.change { $0.append(reply?.status ?? 0) }
        })
    }
    try post()
    try workshop.journal.waitUntilHeld()
    try post()
    try wait(for: "a post in the queue") { workshop.store.figures.queueDepth > 0 }
    let full = try session.act(body)
    #expect(full.status == 503 && full.code == "overloaded" && full.headers["retry-after"] == "1")
    #expect(try session.get().status == 200)
    workshop.journal.release()
    for thread in threads { thread.join() }
    #expect(replies.withLock { $0 } == [200, 200])
    #expect(workshop.drain())
    workshop.store.stop()
    #expect(try session.act(body).code == "stopping")
  }

  @Test(.oneNode("the queue of one node is full"))
  func `requests without room have one line in the log per second, with their number`() throws {
    let now = Lock<UInt64>(5_000_000_000)
    var limits = RateLimits()
    limits.now = { now.withLock { $0 } }
    let workshop = try Workshop(queue: 1, limits: limits)
    let session = try workshop.session("lab")
    workshop.journal.hold()
    defer { workshop.journal.release() }
    let body = #"{"step":"go","params":{"n":1}}"#
    let threads = try (0..<2).map { number in
      let thread = try NamedThread("post") {
        _ = try? workshop.send("POST", "/v1/sessions/\(session.id)/actions", body, as: session.secret)
      }
      if number == 0 { try workshop.journal.waitUntilHeld() }
      return thread
    }
    try wait(for: "a post in the queue") { workshop.store.figures.queueDepth > 0 }
    func overloaded() -> [String] { workshop.log.all.filter { $0.contains("overloaded") } }
    for _ in 0..<5 { #expect(try session.act(body).status == 503) }
    #expect(overloaded() == ["error overloaded address=127.0.0.1 count=1 route=/v1/sessions/{id}/actions"])
    now.withLock { $0 += 1_000_000_000 }
    #expect(try session.act(body).status == 503)
    #expect(overloaded().count == 2 && overloaded().last?.contains("count=5") == true)
    workshop.journal.release()
    for thread in threads { thread.join() }
  }

  @Test(.oneNode("it stops or breaks the store of one node"))
  func `running requests finish before the service ends, and new ones are rejected`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    workshop.journal.hold()
    defer { workshop.journal.release() }
    let status = Monitor<Int?>(nil)
    let path = "/v1/sessions/\(session.id)/actions"
    let thread = try NamedThread("post") {
      let reply = try? workshop.send("POST", path, #"{"step":"go","params":{"n":1}}"#, as: session.secret)
      status.change { $0 = reply?.status ?? 0 }
    }
    try workshop.journal.waitUntilHeld()
    workshop.service.leave()
    workshop.server.stopAccepting()
    #expect(!workshop.service.drain(within: .milliseconds(1)))
    #expect(throws: (any Error).self) { try workshop.send("GET", "/livez") }
    workshop.journal.release()
    #expect(workshop.drain())
    thread.join()
    #expect(status.withLock { $0 } == 200)
    workshop.server.stop()
    workshop.store.stop()
    #expect(workshop.journal.batches.count == 2)
  }

  @Test(.oneNode("each node counts its own requests")) func `requests are counted by path template and status, never by session`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    _ = try session.get()
    _ = try session.get()
    _ = try workshop.send("GET", "/v1/sessions/\(session.id)")
    _ = try workshop.send("BREW", "/a/b/c")
    _ = try workshop.send("POST", "/v1/sessions", String(repeating: " ", count: 65 << 10))
    #expect(workshop.drain())
    let reply = try workshop.send("GET", "/metrics")
    #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      #"cairn_http_requests_total{method="GET",route="/v1/sessions/{id}",status="200"} 2"#,
      #"cairn_http_requests_total{method="GET",route="/v1/sessions/{id}",status="401"} 1"#,
      #"cairn_http_requests_total{method="other",route="none",status="404"} 1"#,
      #"cairn_http_requests_total{method="POST",route="/v1/sessions",status="413"} 1"#,
      #"http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="201",http_route="/v1/sessions"} 1"#,
      #"http_server_request_duration_seconds_bucket{http_request_method="POST",http_response_status_code="201",http_route="/v1/sessions",le="+Inf"} 1"#,
      "cairn_commits_total 1", "cairn_committed_actions_total 1", "cairn_commit_batch_size_max 1", "cairn_queue_depth 0",
      "cairn_queue_limit 4096", "cairn_log_dropped_total 0",
      "cairn_sessions 1", "cairn_journal_up 1", "cairn_notifications_suppressed_total 0", "cairn_http_requests_in_flight 1",
    ] {
      #expect(reply.text.contains("\(line)\n"), "\(line)")
    }
    #expect(reply.text.contains(#"cairn_build_info{commit="unknown",libmicrohttpd=""#) && reply.text.contains(#"version="1.2.3"} 1"#))
    #expect(!reply.text.contains(session.id))
    for line in reply.text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
    }
  }

  @Test func `each request has one log line, and the line contains no secret`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("qiita", #","accessToken":"a-token""#)
    let trace = "0af7651916cd43dd8448eb211c80319c"
    let traced = [("traceparent", "00-\(trace)-b7ad6b7169203331-01")]
    let refused = try session.act(#"{"step":"nothing-of-this"}"#, headers: traced)
    #expect(refused["traceId"] == .string(trace))
    _ = try session.get("?secretquery=1", headers: [("traceparent", "00-0-0-00")])
    _ = try workshop.send("GET", "/v1/sessions/a-secret-in-a-path", as: "a-wrong-secret")
    #expect(workshop.drain())
    let lines = workshop.log.all
    #expect(lines.count == 4)
    #expect(lines[0].contains("method=POST") && lines[0].contains("route=/v1/sessions ") && lines[0].contains("status=201"))
    #expect(lines[1].contains("session=\(session.id)") && lines[1].contains("trace=\(trace)") && lines[1].contains("result=invalid"))
    #expect(lines.allSatisfy { $0.contains("request=") && $0.contains("ms=") })
    #expect(!lines[2].contains("trace="))
    for secret in ["a-token", session.secret, "secretquery", "a-secret-in-a-path", "a-wrong-secret", "nothing-of-this"] {
      #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
    }
  }
}
