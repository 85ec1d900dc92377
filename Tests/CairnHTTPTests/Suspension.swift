import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Suspension {
  @Test func `a request is suspended until another thread answers it`() throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let responder = try waiting.take()
      #expect(eventually { server.counts.suspended == 1 })
      let other = try NamedThread("answerer") { responder.send(Response(status: 200, text: "late")) }
      #expect(try client.receive().body == "late")
      other.join()
      #expect(eventually { server.counts.suspended == 0 })
    }
  }

  @Test func `a response may come before the handler has returned`() throws {
    let eager: Handler = { _, responder in
      responder.send(Response(status: 200, text: "early"))
      return .later
    }
    try withServer(handler: eager) { server in
      let client = try Client(server.port)
      for _ in 1...3 {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().body == "early")
      }
    }
  }

  @Test func `the first response counts`() throws {
    let twice: Handler = { request, responder in
      responder.send(Response(status: 200, text: "first"))
      responder.send(Response(status: 200, text: "second"))
      return request.path == ["now"] ? .now(Response(status: 200, text: "third")) : .later
    }
    try withServer(handler: twice) { server in
      let client = try Client(server.port)
      for path in ["now", "later"] {
        client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().body == "first")
      }
    }
  }

  @Test func `a response for a request that has ended is dropped`() throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let first = try waiting.take()
      first.send(Response(status: 200, text: "1"))
      #expect(try client.receive().body == "1")
      let second = try waiting.take()
      first.send(Response(status: 200, text: "again"))
      second.send(Response(status: 200, text: "2"))
      #expect(try client.receive().body == "2")
    }
  }

  @Test(arguments: [false, true]) func `a responder that is released without a response sends a fault`(kept: Bool) throws {
    let waiting = Waiting()
    let forgetful: Handler = { _, _ in .later }
    try withServer(handler: kept ? waiting.handler : forgetful) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      if kept { _ = try waiting.take() }
      let answer = try client.receive()
      #expect(answer.status == 500)
      #expect(answer.body == "abandoned")
    }
  }

  /// After the resume, libmicrohttpd closes some of these connections without calling the handler again. The counters must decrease for these connections too.
  @Test(arguments: [false, true]) func `clients that disconnect with suspended requests disturb no other`(abruptly: Bool) throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      var clients = try (0..<20).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let responders = try clients.map { _ in try waiting.take() }
      if abruptly { clients.forEach { $0.breakOff() } }
      clients = []
      for responder in responders { responder.send(Response(status: 200, text: String(repeating: "x", count: 1 << 16))) }
      #expect(eventually { server.counts.connections == 0 })
      #expect(server.counts.suspended == 0)
    }
  }

  /// Discarding the response releases the responder that it holds. The end of the responder must not take a lock that the discarding thread holds.
  @Test func `a responder may be captured by its own pending response when the client disconnects`() throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      var clients = try (0..<20).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let responders = try clients.map { _ in try waiting.take() }
      clients.forEach { $0.breakOff() }
      clients = []
      for responder in responders {
        responder.send {
          withExtendedLifetime(responder) {}
          return Response(status: 200)
        }
      }
      #expect(eventually { server.counts.connections == 0 })
    }
  }

  @Test(arguments: [1, 2]) func `a thousand requests over many connections each get their own answer`(threads: Int) throws {
    let writer = try Writer()
    try withServer(threads: threads, handler: writer.handler) { server in
      // Runs before `withServer` checks that no request is left, because the writer holds the unanswered ones.
      defer { writer.stop() }
      let clients = try (0..<50).map { _ in try Client(server.port) }
      for round in 0..<20 {
        for (number, client) in clients.enumerated() {
          client.send("POST /\(number)/\(round) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        }
        for (number, client) in clients.enumerated() {
          #expect(try client.receive().body == "POST [\"\(number)\", \"\(round)\"] [] hi")
        }
      }
    }
  }
}
