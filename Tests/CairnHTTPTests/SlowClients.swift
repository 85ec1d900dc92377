import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct SlowClients {
  private func limits(head: Duration? = nil, upload: Duration? = nil, download: Duration? = nil) -> Limits {
    var limits = Limits.patient
    if let head { limits.head = head }
    if let upload { limits.upload = upload }
    if let download { limits.download = download }
    return limits
  }

  /// Sends one byte every 20 ms until the server closes the connection. Returns everything that the client has received.
  private func drip(_ client: Client, _ text: String) throws -> String {
    let over = Monitor(false)
    let dripper = try NamedThread("dripper") {
      for byte in text.utf8 {
        client.send([byte])
        if over.wait(until: Monotonic.deadline(after: .milliseconds(20)), { $0 ? true : nil }) == true { return }
      }
    }
    defer {
      over.change { $0 = true }
      dripper.join()
    }
    return try client.receiveToEnd()
  }

  @Test func `a client that sends its head byte by byte is disconnected`() throws {
    let lines = Lines()
    try withServer(limits(head: .milliseconds(200)), log: lines.add) { server in
      let start = Monotonic.now()
      let answer = try drip(try Client(server.port), "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 1000))")
      #expect(answer == "")
      #expect(Monotonic.now() - start >= 200_000_000)
      #expect(eventually { server.counts.cut == 1 })
      #expect(eventually { server.counts.connections == 0 }, "the library has noticed")
      #expect(lines.all.contains { $0.contains("too slow") })
    }
  }

  @Test func `a connection that sends nothing is closed`() throws {
    try withServer(limits(head: .milliseconds(100))) { server in
      let client = try Client(server.port)
      #expect(try client.receiveToEnd() == "")
      #expect(eventually { server.counts.connections == 0 })
    }
  }

  @Test func `a client that sends its body byte by byte is disconnected`() throws {
    try withServer(limits(upload: .milliseconds(200))) { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
      let answer = try drip(client, String(repeating: "y", count: 1000))
      #expect(answer == "")
      #expect(eventually { server.counts.cut == 1 })
      #expect(eventually { server.counts.connections == 0 })
    }
  }

  @Test func `a client that does not read its response is disconnected`() throws {
    let large: Handler = { _, _ in .now(Response(status: 200, body: [UInt8](repeating: 65, count: 64 << 20))) }
    try withServer(limits(download: .milliseconds(200)), handler: large) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(eventually { server.counts.cut == 1 && server.counts.connections == 0 })
      #expect(try client.receiveToEnd().utf8.count < 64 << 20)
    }
  }

  /// The connection is closed once the server cannot write any more. The number of handled requests shows how much the kernel accepted.
  @Test func `the kernel accepts few responses for a client that reads nothing`() throws {
    let handled = Lock(0)
    let large: Handler = { _, _ in
      handled.withLock { $0 += 1 }
      return .now(Response(status: 200, body: [UInt8](repeating: 65, count: 100 << 10)))
    }
    try withServer(limits(download: .milliseconds(200)), handler: large) { server in
      let client = try Client(server.port)
      client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 64))
      #expect(eventually { server.counts.cut == 1 && server.counts.connections == 0 })
      #expect((1...8).contains(handled.withLock { $0 }))
    }
  }

  @Test func `a suspended request has no deadline of the client`() throws {
    let waiting = Waiting()
    try withServer(limits(head: .milliseconds(50), upload: .milliseconds(50)), handler: waiting.handler) { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
      let responder = try waiting.take()
      // Two other connections reach the same deadlines first, which proves that the watchdog has run.
      for _ in 1...2 {
        let silent = try Client(server.port)
        #expect(try silent.receiveToEnd() == "")
      }
      responder.send(Response(status: 200, text: "rested"))
      #expect(try client.receive().body == "rested")
    }
  }

  @Test(arguments: ["", "G"]) func `a slow later head has the deadline of a first one, however it began`(early: String) throws {
    try withServer(limits(head: .milliseconds(300))) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n\(early)")
      #expect(try client.receive().status == 200)
      if early.isEmpty {
        pass(.milliseconds(400))
        #expect(server.counts.cut == 0, "an idle connection has no head to be late with")
      }
      let start = Monotonic.now()
      let answer = try drip(client, "ET /2 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 1000))")
      #expect(answer == "")
      #expect(Monotonic.now() - start >= 200_000_000)
      #expect(eventually { server.counts.cut == 1 && server.counts.connections == 0 })
    }
  }

  @Test func `a later head that stops in the middle is cut off too`() throws {
    try withServer(limits(head: .milliseconds(200))) { server in
      let client = try Client(server.port)
      client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nGET / HTTP/1.1\r\n")
      #expect(try client.receive().body == "POST [] [] hi")
      #expect(try client.receiveToEnd() == "")
      #expect(eventually { server.counts.cut == 1 })
    }
  }

  @Test func `a connection that is idle between requests is closed by the idle limit`() throws {
    var limits = limits()
    limits.idle = .seconds(1)
    try withServer(limits) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 200)
      #expect(try client.receiveToEnd() == "")
      #expect(server.counts.cut == 0)
    }
  }
}
