import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore
import CairnTesting
import Glibc
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Limits of requests` {
  private let clock = ManualClock(1_000_000)

  private func limits(_ set: (inout RateLimits) -> Void) -> RateLimits {
    var limits = RateLimits()
    limits.now = { [clock] in UInt64(clock.now()) * 1_000_000 }
    set(&limits)
    return limits
  }

  private func metric(_ workshop: Workshop, _ limit: String) throws -> String? {
    let text = try Wire.send(workshop.admin.port, "GET", "/metrics").text
    return text.split(separator: "\n").first { $0.hasPrefix("cairn_refused_total{limit=\"\(limit)\"}") }?.split(separator: " ").last.map(
      String.init)
  }

  @Test(.oneNode("each node has its own limits"))
  func `requests over the rate of an address are 429 with Retry-After, counted, logged once, and delay no other`() throws {
    let workshop = try Workshop(limits: limits { $0.requestsPerAddress = Rate("3/m") })
    for _ in 1...3 { #expect(try workshop.send("GET", "/v1/apps").status == 200) }
    for _ in 1...20 {
      let refused = try workshop.send("GET", "/v1/apps")
      #expect(refused.status == 429 && refused.code == "rate-limited" && refused.headers["retry-after"] == "20")
      #expect(refused["detail"]?.word?.hasSuffix("(the setting requestsPerAddress)") == true)
      #expect(refused.headers["content-type"] == "application/problem+json")
    }
    #expect(try workshop.send("GET", "/v1/apps", from: "127.0.0.2").status == 200)
    #expect(try workshop.send("GET", "/v1/apps", as: Workshop.operatorKey).status == 200, "an operator is not held")
    #expect(try workshop.send("GET", "/readyz").status == 200 && workshop.send("GET", "/livez").status == 200)
    #expect(try metric(workshop, "requests-per-address") == "20")
    #expect(workshop.service.drain(within: TestTimeout.duration))
    let lines = workshop.log.all
    #expect(lines.filter { $0.contains("limit=requests-per-address") }.count == 1)
    #expect(!lines.contains { $0.contains("status=429") })
    clock.advance(by: 20_000)
    #expect(try workshop.send("GET", "/v1/apps").status == 200)
    #expect(try workshop.send("GET", "/v1/apps").status == 429)
    #expect(workshop.service.drain(within: TestTimeout.duration))
    #expect(workshop.log.all.contains { $0.hasPrefix("warning refused") && $0.contains("count=20") && $0.contains("address=127.0.0.1") })
  }

  @Test(.oneNode("each node has its own limits"))
  func `the client of a session is limited to the rate of the session, and an operator is not`() throws {
    let workshop = try Workshop(limits: limits { $0.requestsPerSession = Rate("2/m") })
    let (one, other) = (try workshop.session("lab"), try workshop.session("lab"))
    #expect(try one.get().status == 200)
    #expect(try one.get("/stack").status == 200)
    #expect(try one.get().status == 429)
    #expect(try one.act(#"{"type":"pop"}"#).code == "rate-limited")
    #expect(try one.act(#"{"type":"pop"}"#, as: Workshop.operatorKey).status == 200)
    for _ in 1...5 { #expect(try workshop.send("GET", "/v1/sessions/\(one.id)", as: other.secret).status == 401) }
    #expect(try other.get().status == 200, "wrong secrets take nothing from a session")
    #expect(try metric(workshop, "requests-per-session") == "2")
  }

  @Test(.oneNode("each node has its own limits")) func `the creation of sessions is limited per address, in rate and in number`() throws {
    let workshop = try Workshop(
      limits: limits {
        $0.creationsPerAddress = Rate("3/m")
        $0.sessionsPerAddress = 2
      })
    let body = #"{"app":"lab"}"#
    let first = try workshop.session("lab")
    _ = try workshop.session("lab")
    #expect(try workshop.send("POST", "/v1/sessions", "{").status == 400, "what is no creation takes nothing")
    let third = try workshop.send("POST", "/v1/sessions", body)
    #expect(third.status == 429 && third.code == "too-many-sessions" && third.headers["retry-after"] == "60")
    let fourth = try workshop.send("POST", "/v1/sessions", body)
    #expect(fourth.status == 429 && fourth.code == "rate-limited" && fourth.headers["retry-after"] == "20")
    #expect(try workshop.send("POST", "/v1/sessions", body, from: "127.0.0.2").status == 201)
    #expect(try workshop.send("POST", "/v1/sessions", body, as: Workshop.operatorKey).status == 201)
    clock.advance(by: 20_000)
    #expect(try workshop.send("DELETE", "/v1/sessions/\(first.id)", as: Workshop.operatorKey).status == 204)
    #expect(try workshop.send("POST", "/v1/sessions", body).status == 201)
    #expect(try metric(workshop, "sessions-per-address") == "1" && metric(workshop, "creations-per-address") == "1")
  }

  @Test(.oneNode("each node has its own limits")) func `repeated wrong credentials are 429, and the right secret is accepted nevertheless`()
    throws
  {
    let workshop = try Workshop(limits: limits { $0.failuresPerAddress = Rate("3/m") })
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)"
    for _ in 1...3 { #expect(try workshop.send("GET", path, as: "a-guess").status == 401) }
    #expect(try workshop.send("GET", path).status == 401, "none at all is no guess")
    let refused = try workshop.send("GET", path, as: "a-guess")
    #expect(refused.status == 429 && refused.headers["retry-after"] == "20")
    #expect(try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey).status == 429, "no key is looked at any more")
    #expect(try session.get().status == 200)
    #expect(try workshop.send("GET", path, as: Workshop.operatorKey, from: "127.0.0.2").status == 200)
    clock.advance(by: 60_000)
    #expect(try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey).status == 200)
  }

  @Test(.oneNode("each node has its own limits"))
  func `wrong secrets for one session from many addresses are 429, but not its client or an operator`() throws {
    let workshop = try Workshop(limits: limits { $0.failuresPerSession = Rate("3/m") })
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)"
    for number in 2...4 { #expect(try workshop.send("GET", path, as: "a-guess", from: "127.0.0.\(number)").status == 401) }
    #expect(try workshop.send("GET", path, as: "a-guess", from: "127.0.0.5").status == 429)
    #expect(try session.get().status == 200)
    #expect(try workshop.send("GET", path, as: Workshop.operatorKey).status == 200)
    #expect(try metric(workshop, "failures-per-session") == "1")
  }

  @Test(.oneNode("each node has its own limits")) func `the client address is taken from a trusted proxy only`() throws {
    let proxy = TrustedProxies([AddressRange("127.0.0.9"), AddressRange("10.0.0.0/8")].compactMap { $0 })
    let workshop = try Workshop(
      limits: limits {
        $0.requestsPerAddress = Rate("1/m")
        $0.proxies = proxy
      })
    func status(_ headers: (String, String)..., from address: String = "127.0.0.9") throws -> Int {
      try workshop.send("GET", "/v1/apps", headers: headers, from: address).status
    }
    #expect(try status(("X-Forwarded-For", "192.0.2.1")) == 200)
    #expect(try status(("X-Forwarded-For", "192.0.2.1")) == 429)
    #expect(try status(("X-Forwarded-For", "6.6.6.6, 192.0.2.1, 10.1.1.1")) == 429, "what stands left of it anyone could have written")
    #expect(try status(("Forwarded", "for=192.0.2.1;proto=https")) == 429)
    #expect(try status(("Forwarded", "for=\"[2001:db8::1]:1\"")) == 200)
    #expect(try status(("Forwarded", "for=\"[2001:db8::2]:1\"")) == 429, "the same network")
    #expect(try status(("X-Forwarded-For", "192.0.2.2")) == 200)
    // An unreadable field or two contradicting fields count for the address of the proxy, in one bucket.
    #expect(try status(("X-Forwarded-For", "nonsense")) == 200)
    #expect(try status(("X-Forwarded-For", "192.0.2.3"), ("Forwarded", "for=192.0.2.4")) == 429)
    #expect(try status() == 429)
    // 127.0.0.3 is not a trusted proxy.
    #expect(try status(("X-Forwarded-For", "192.0.2.5"), from: "127.0.0.3") == 200)
    #expect(try status(("X-Forwarded-For", "192.0.2.6"), from: "127.0.0.3") == 429)
    #expect(workshop.service.drain(within: TestTimeout.duration))
    #expect(workshop.log.all.contains { $0.contains("address=2001:db8::1") })
  }

  /// The proxy names the first client. The second client sends contradicting fields, so its requests count for the proxy.
  @Test(
    .oneNode("each node has its own limits"),
    arguments: [
      [("X-Forwarded-For", "192.0.2.1")], [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.9")],
    ] as [[(String, String)]])
  func `connections are limited per address, and requests per client of a proxy`(client: [(String, String)]) throws {
    let workshop = try Workshop(
      limits: limits {
        $0.connectionsPerAddress = 2
        $0.proxies = TrustedProxies([AddressRange("127.0.0.9")].compactMap { $0 })
      }, connectionsPerAddress: 2)
    let held = try (1...2).map { _ in try Wire.open(workshop.port, from: "127.0.0.2") }
    defer { for descriptor in held { close(descriptor) } }
    #expect(try workshop.send("GET", "/livez", from: "127.0.0.2").code == "too-many-connections")
    #expect(try workshop.send("GET", "/livez").status == 200)
    #expect(try metric(workshop, "connections-per-address") == "1")
    let session = try workshop.session("lab")
    let path = "/v1/sessions/\(session.id)/actions"
    workshop.journal.hold()
    defer { workshop.journal.release() }
    let statuses = Monitor<[Int]>([])
    func post() throws -> NamedThread {
      try NamedThread("post") {
        let reply = try? workshop.send("POST", path, #"{"step":"tick"}"#, as: session.secret, headers: client, from: "127.0.0.9")
        statuses.change { $0.append(reply?.status ?? 0) }
      }
    }
    var threads = [try post()]
    try workshop.journal.waitUntilHeld()
    threads.append(try post())
    try wait(for: "a post in the queue") { workshop.store.figures.queueDepth > 0 }
    let third = try workshop.send("GET", "/v1/apps", headers: client, from: "127.0.0.9")
    #expect(third.status == 429 && third.code == "too-many-connections" && third.headers["retry-after"] == "1")
    #expect(try workshop.send("GET", "/v1/apps", headers: [("X-Forwarded-For", "192.0.2.2")], from: "127.0.0.9").status == 200)
    workshop.journal.release()
    for thread in threads { thread.join() }
    #expect(statuses.withLock { $0 } == [200, 200])
    #expect(try workshop.send("GET", "/v1/apps", headers: client, from: "127.0.0.9").status == 200)
  }
}
