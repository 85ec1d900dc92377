import CResolverTrap
import CairnRuntime
import CairnTesting
import CairnTransfer
import Glibc
import Testing

@Suite struct `HTTP exchanges` {
  private let transfers = Transfers()

  @Test func `an exchange delivers the head, the body and the end`() throws {
    let server = try TinyServer("201 Created", body: "héllo", headers: ["X-Two: a", "x-two:  b ", "X-Empty:"])
    let whole = try transfers.get(server.address + "/a/../b/%2e%2e?x=%20")
    #expect(whole.fault == nil && whole.head?.status == 201 && whole.body == Array("héllo".utf8))
    #expect(whole.head?.headers["x-two"] == "a, b" && whole.head?.headers["x-empty"] == "")
    let request = try server.request()
    #expect(request.line == "GET /a/../b/%2e%2e?x=%20 HTTP/1.1")
    #expect(request.header("Accept-Encoding") == "gzip, deflate" && request.header("User-Agent") == "Cairn")
    #expect(request.header("Cookie") == nil && request.header("Authorization") == nil && request.header("Content-Type") == nil)
  }

  @Test(arguments: [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("DELETE", nil), ("GET", nil)])
  func `an empty body is sent with a length of zero`(_ method: String, _ length: String?) throws {
    let server = try TinyServer(body: "ok")
    let collected = Collected()
    _ = transfers.begin(TransferRequest(method, server.address), TransferLimits(whole: .seconds(20))) { collected.take($0) }
    #expect(try collected.whole().count == 2)
    #expect(try server.request().line == "\(method) / HTTP/1.1")
    #expect(try server.request().header("Content-Length") == length)
  }

  @Test func `the body and the headers are sent`() throws {
    let server = try TinyServer(body: "ok")
    let collected = Collected()
    let request = TransferRequest("PUT", server.address, headers: ["Content-Type": "text/x", "X-Empty": ""], body: Array("a\u{0}b".utf8))
    _ = transfers.begin(request, TransferLimits(whole: .seconds(20))) { collected.take($0) }
    #expect(try collected.whole().fault == nil)
    let got = try server.request()
    #expect(got.body == "a\u{0}b" && got.header("Content-Type") == "text/x" && got.header("X-Empty") == "")
    #expect(got.header("Expect") == nil)
  }

  @Test(arguments: [
    "", "nonsense", "ftp://127.0.0.1/", "file:///etc/hostname", "http://", "http:///x", "gopher://127.0.0.1", "http://a b/",
  ])
  func `only addresses with http and https are accepted`(_ url: String) throws {
    #expect(try transfers.get(url).fault == .address)
  }

  @Test func `a header that would start another line is rejected before the exchange`() throws {
    for headers in [["X-A": "a\r\nX-B: b"], ["X-A": "a\nb"], ["X A": "a"], ["": "a"], ["X:A": "a"]] {
      let collected = Collected()
      _ = transfers.begin(TransferRequest("GET", "http://127.0.0.1:1", headers: headers), TransferLimits()) { collected.take($0) }
      #expect(try collected.whole().fault == .unsendable("header"))
    }
  }

  @Test func `proxies of the environment are not used`() async {
    await #expect(processExitsWith: .success) {
      for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:9", 1) }
      let server = try TinyServer(body: "ok")
      let whole = try Transfers().get(server.address)
      try #require(whole.fault == nil && whole.count == 2)
    }
  }

  @Test func `a port without a listener, or an unknown name, has no connection`() throws {
    let server = try TinyServer(body: "")
    server.stop()
    #expect(try transfers.get(server.address).fault == .noConnection)
    // A resolver may also fail to answer in time.
    let fault = try transfers.get("http://nowhere.invalid/").fault
    #expect([.unknownHost, .connectTimeout].contains(fault))
  }

  @Test func `a cancelled exchange ends once, and its connection closes`() throws {
    let server = try TinyServer { _ in .begin("HTTP/1.1 200 OK\r\n\r\nhalf") }
    let collected = Collected()
    let transfer = transfers.begin(TransferRequest("GET", server.address), TransferLimits()) { collected.take($0) }
    _ = try server.request()
    for _ in 0..<3 { transfer.cancel() }
    #expect(try collected.whole().fault == .cancelled)
    try wait { server.connections == 0 }
    #expect(collected.ends == 1)
  }

  @Test func `an exchange ends when its receiver rejects further bytes`() throws {
    let server = try TinyServer { _ in .flood(head: "HTTP/1.1 200 OK\r\n\r\n", chunk: "x") }
    let ended = Awaited<TransferFault?>()
    _ = transfers.begin(TransferRequest("GET", server.address), TransferLimits()) { part in
      if case .end(let fault) = part { ended.give(fault) }
      if case .bytes = part { return false }
      return true
    }
    #expect(try ended.value() == .cancelled)
    #expect(ended.count == 1)
  }

  @Test func `an exchange ends when its transfers object is released`() throws {
    let server = try TinyServer { _ in .silence }
    let collected = Collected()
    do {
      let transfers = Transfers()
      _ = transfers.begin(TransferRequest("GET", server.address), TransferLimits()) { collected.take($0) }
      _ = try server.request()
    }
    #expect(try collected.whole().fault == .cancelled)
    let late = Collected()
    transfers.stop()
    _ = transfers.begin(TransferRequest("GET", server.address), TransferLimits()) { late.take($0) }
    #expect(try late.whole().fault == .cancelled)
  }

  // Runs in its own process, because the thread of the lookup never ends.
  @Test func `a lookup that never ends delays neither other exchanges nor a stop`() async {
    await #expect(processExitsWith: .success) { try `HTTP exchanges`().stall() }
  }

  private func stall() throws {
    let stalled = Collected()
    let timed = Collected()
    let request = TransferRequest("GET", "http://a.stalled.invalid/")
    let (transfers, stopped) = (transfers, Awaited<Bool>())
    _ = transfers.begin(request, TransferLimits(whole: TestTimeout.duration * 10)) { stalled.take($0) }
    try #require(cairn_await_stalled_lookup(Int32(TestTimeout.seconds)) == 1, "no lookup began")
    _ = transfers.begin(request, TransferLimits(whole: .milliseconds(200))) { timed.take($0) }
    let server = try TinyServer(body: "ok")
    try #require(transfers.get(server.address).count == 2)
    try #require(timed.whole().fault == .timeout)
    _ = try NamedThread("stopper") {
      transfers.stop()
      stopped.give(true)
    }
    _ = try stopped.value(for: "the end of a stop")
    try #require(stalled.whole().fault == .cancelled)
  }

  // Runs in its own process, so that no other CPU time is counted.
  @Test func `64 waiting exchanges use no CPU time`() async {
    await #expect(processExitsWith: .success) { try `HTTP exchanges`().idle() }
  }

  private func idle() throws {
    let server = try HostileServer(.init(""))
    let all = (0..<64).map { _ in Collected() }
    for collected in all {
      _ = transfers.begin(TransferRequest("GET", server.url), TransferLimits(whole: TestTimeout.duration * 10)) { collected.take($0) }
    }
    try server.awaitRequests(64)
    let before = clock()
    let _: Void? = Monitor(()).wait(until: Monotonic.deadline(after: .seconds(1))) { _ in nil }
    let used = clock() - before
    // The bound is 20 ms. FoundationNetworking used 940 ms of this second.
    try #require(used < 20_000, "\(used) µs of CPU in a second of waiting")
    try #require(all.allSatisfy { $0.ends == 0 })
  }
}
