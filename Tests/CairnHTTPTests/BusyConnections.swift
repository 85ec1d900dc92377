import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct BusyConnections {
  /// libmicrohttpd processes at most 128 events at a time. After exactly 128 events its own loop waits for its full timeout, which
  /// `Limits.patient` makes longer than the timeout of the client.
  @Test(arguments: [127, 128, 129, 256, 300], [1, 2])
  func `any number of simultaneous requests is answered at once`(count: Int, threads: Int) throws {
    let gate = Monitor(false)
    let isHeld = Monitor(false)
    let gated: Handler = { request, _ in
      if request.path == ["gate"] {
        isHeld.change { $0 = true }
        _ = gate.wait { $0 ? true : nil }
      }
      return .now(Response(status: 200, text: describe(request)))
    }
    var limits = Limits.patient
    limits.connectionsPerAddress = 0
    try withServer(limits, threads: threads, handler: gated) { server in
      let clients = try (0..<count).map { _ in try Client(server.port) }
      #expect(eventually { server.counts.connections == count })
      let keeper = try Client(server.port)
      keeper.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = isHeld.wait { $0 ? true : nil }
      for (number, client) in clients.enumerated() { client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n") }
      gate.change { $0 = true }
      for (number, client) in clients.enumerated() { #expect(try client.receive().body == "GET [\"\(number)\"] [] ") }
      for round in 1...5 {
        for client in clients { client.send("GET /\(round) HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(try client.receive().body == "GET [\"\(round)\"] [] ") }
      }
    }
  }

  @Test func `a batch of responses reaches all its clients, whichever other requests wait`() throws {
    let waiting = Waiting()
    let mixed: Handler = { request, responder in
      request.method == "POST" ? waiting.handler(request, responder) : .now(Response(status: 200, text: describe(request)))
    }
    try withServer(handler: mixed) { server in
      let clients = try (0..<64).map { _ in try Client(server.port) }
      let other = try Client(server.port)
      for _ in 1...10 {
        for client in clients { client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi") }
        let responders = try clients.map { _ in try waiting.take() }
        // Requests that wait for a response delay no other request.
        other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try other.receive().body == "GET [\"a\"] [] ")
        #expect(server.counts.suspended == 64)
        for responder in responders { responder.send(Response(status: 200, text: "done")) }
        for client in clients { #expect(try client.receive().body == "done") }
      }
      #expect(eventually { server.counts.suspended == 0 })
    }
  }

  /// A request that waits for long is suspended, and its response takes another path through the code.
  @Test func `a response arrives after any waiting time`() throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      let client = try Client(server.port)
      for milliseconds in [0, 1, 5, 10, 11, 20, 50] {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        let responder = try waiting.take()
        pass(.milliseconds(milliseconds))
        responder.send(Response(status: 200, text: "after \(milliseconds)"))
        #expect(try client.receive().body == "after \(milliseconds)")
      }
    }
  }

  @Test func `a long response continues while others wait`() throws {
    let waiting = Waiting()
    let mixed: Handler = { request, responder in
      request.method == "POST"
        ? waiting.handler(request, responder) : .now(Response(status: 200, body: [UInt8](repeating: 65, count: 16 << 20)))
    }
    try withServer(handler: mixed) { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
      let responder = try waiting.take()
      let other = try Client(server.port)
      other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try other.receive().body.utf8.count == 16 << 20)
      responder.send(Response(status: 200, text: "done"))
      #expect(try client.receive().body == "done")
    }
  }

  @Test(arguments: [1, 2]) func `at the limit new connections wait until another one closes`(threads: Int) throws {
    var limits = Limits.patient
    limits.connections = 3
    try withServer(limits, threads: threads) { server in
      var clients = try (0..<3).map { _ in try Client(server.port) }
      for client in clients {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().status == 200)
      }
      let fourth = try Client(server.port)
      fourth.send("GET /4 HTTP/1.1\r\nHost: a\r\n\r\n")
      clients[0].send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try clients[0].receive().status == 200)
      #expect(server.counts.connections == 3)
      clients.removeLast()
      #expect(try fourth.receive().body == "GET [\"4\"] [] ")
    }
  }
}
