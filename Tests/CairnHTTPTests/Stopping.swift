import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Stopping {
  @Test(arguments: [1, 2]) func `a stop answers every suspended request`(threads: Int) throws {
    let waiting = Waiting()
    try withServer(threads: threads, handler: waiting.handler) { server in
      let clients = try (0..<50).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      #expect(eventually { server.counts.suspended == 50 }, "\(server.counts)")
      try waiting.take().send(Response(status: 200, text: "in time"))
      server.stop()
      var statuses: [Int: Int] = [:]
      for client in clients {
        let answer = try client.receive()
        statuses[answer.status, default: 0] += 1
        if answer.status == 503 { #expect(answer["Connection"]?.lowercased() == "close") }
        #expect(try client.receiveToEnd() == "")
      }
      #expect(statuses == [200: 1, 503: 49])
      #expect(server.counts.suspended == 0 && server.counts.connections == 0)
      while let late = waiting.takeNow() { late.send(Response(status: 200, text: "too late")) }
    }
  }

  @Test func `a request whose handler runs during the stop gets its response`() throws {
    let gate = Monitor(false)
    let entered = Monitor(false)
    let slow: Handler = { _, _ in
      entered.change { $0 = true }
      _ = gate.wait { $0 ? true : nil }
      return .now(Response(status: 200, text: "done"))
    }
    try withServer(handler: slow) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = entered.wait { $0 ? true : nil }
      let stopper = try NamedThread("stopper") { server.stop() }
      #expect(eventually { (try? Client(server.port)) == nil })
      gate.change { $0 = true }
      #expect(try client.receive().body == "done")
      stopper.join()
    }
  }

  @Test(arguments: [1, 2]) func `after stopAccepting no connection is accepted, and open ones close with their next response`(threads: Int)
    throws
  {
    try withServer(threads: threads) { server in
      let client = try Client(server.port)
      client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive()["Connection"]?.lowercased() != "close")
      server.stopAccepting()
      #expect(throws: ClientError.self) { _ = try Client(server.port) }
      client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.body == "GET [\"2\"] [] ")
      #expect(answer["Connection"]?.lowercased() == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `a stop does not wait for a client with an incomplete request`() throws {
    var limits = Limits.patient
    limits.grace = .milliseconds(50)
    try withServer(limits) { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
      // The head has been read. A head that arrives after the stop would get a response.
      #expect(try client.receive(head: true).status == 100)
      client.send("half")
      let other = try Client(server.port)
      other.send("GET / HTTP/1.1\r\nHo")
      #expect(eventually { server.counts.connections == 2 })
      server.stop()
      #expect(try client.receiveToEnd() == "")
      #expect(try other.receiveToEnd() == "")
    }
  }

  /// The slow clients are one that does not read its response, two with half a request, and an idle one.
  @Test(arguments: [1, 2]) func `slow clients do not delay a stop`(threads: Int) throws {
    let large: Handler = { request, _ in
      .now(Response(status: 200, body: [UInt8](repeating: 65, count: request.path == ["large"] ? 64 << 20 : 1)))
    }
    let lines = Lines()
    try withServer(threads: threads, log: lines.add, handler: large) { server in
      let reader = try Client(server.port)
      reader.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      let half = try Client(server.port)
      half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
      #expect(try half.receive(head: true).status == 100)
      let head = try Client(server.port)
      head.send("GET / HTTP/1.1\r\nHo")
      let idle = try Client(server.port)
      idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try idle.receive().status == 200)
      server.stop()
      #expect(!lines.all.contains { $0.contains("although requests are still in progress") })
      #expect(try idle.receiveToEnd() == "" && half.receiveToEnd() == "" && head.receiveToEnd() == "")
      #expect(try reader.receiveToEnd().utf8.count < 64 << 20)
    }
  }

  @Test func `a response that is being read is sent completely`() throws {
    let begun = Monitor(false)
    let large: Handler = { _, _ in
      begun.change { $0 = true }
      return .now(Response(status: 200, body: [UInt8](repeating: 65, count: 64 << 20)))
    }
    // A reader may be delayed by half a second on a busy machine, and must not count as stalled.
    var limits = Limits.patient
    limits.stall = limits.grace
    try withServer(limits, handler: large) { server in
      let reader = try Client(server.port)
      reader.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = begun.wait { $0 ? true : nil }
      let stopper = try NamedThread("stopper") { server.stop() }
      #expect(eventually { (try? Client(server.port)) == nil })
      #expect(try reader.receive().body.utf8.count == 64 << 20)
      stopper.join()
    }
  }

  @Test func `repeated and simultaneous stops are one stop`() throws {
    try withServer { server in
      let threads = try (0..<4).map { try NamedThread("stopper-\($0)") { server.stop() } }
      threads.forEach { $0.join() }
      server.stop()
      server.stopAccepting()
    }
  }

  @Test func `a server stops when its last reference is released`() throws {
    var port = 0
    do {
      let server = try Server(host: "127.0.0.1", port: 0, handler: echo)
      port = server.port
    }
    #expect(throws: ClientError.self) { _ = try Client(port) }
  }

  /// Many threads send requests while the server stops. Each gets a response or a closed connection, and the stop returns.
  @Test(arguments: 1...10) func `stopping under load returns`(round: Int) throws {
    let writer = try Writer()
    try withServer(threads: 1 + round % 2, handler: writer.handler) { server in
      // Runs before `withServer` checks that no request is left, because the writer holds the unanswered ones.
      defer { writer.stop() }
      let answered = Lock(0)
      let clients = try (0..<8).map { number in
        try NamedThread("client-\(number)") {
          guard let client = try? Client(server.port) else { return }
          while true {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            guard let answer = try? client.receive() else { return }
            #expect(answer.status == 200 || answer.status == 503)
            answered.withLock { $0 += 1 }
          }
        }
      }
      #expect(eventually { answered.withLock { $0 } > 50 })
      server.stop()
      clients.forEach { $0.join() }
    }
  }
}
