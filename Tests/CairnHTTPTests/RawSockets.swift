import CairnHTTP
import CairnRuntime
import Testing

@Suite struct RawSockets {
  @Test(arguments: [
    "HEAD /%00 HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
  ])
  func `a problem in answer to HEAD has no body`(request: String) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send(request)
      let all = try client.receiveToEnd()
      #expect(all.hasPrefix("HTTP/1.1 ") && all.hasSuffix("\r\n\r\n") && !all.contains("Content-Length: 0\r\n"), "\(all)")
    }
  }

  @Test func `what HTTP allows and few send is understood, and the connection goes on`() throws {
    try withServer { server in
      let client = try Client(server.port)
      for (request, body) in [
        ("\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET [\"a\"] [] "),
        ("get /a HTTP/1.1\r\nhOST:a\r\n\r\n", "get [\"a\"] [] "),
        ("GET /a HTTP/1.1\nHost: a\n\n", "GET [\"a\"] [] "),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS [] [] "),
        ("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", "TRACE [] [] "),
        ("GET / HTTP/1.1\r\nHost: [::1]:80\r\nX: \u{E9}\t\r\n\r\n", "GET [] [] "),
        ("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "GET [\"a\"] [] hi"),
        ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 002\r\n\r\nhi", "POST [\"a\"] [] hi"),
        ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST [\"a\"] [] "),
        ("POST /a HTTP/1.1\r\nHost: a\r\n\r\n", "POST [\"a\"] [] "),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n002;a=\"b c\"\r\nhi\r\n00\r\nX: y\r\n\r\n", "POST [] [] hi"),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "POST [] [] "),
      ] {
        client.send(request)
        let answer = try client.receive()
        #expect(answer.body == body, "\(request)")
      }
      // All at once as well.
      client.send(String(repeating: "\r\nPOST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", count: 50))
      for _ in 1...50 { #expect(try client.receive().body == "POST [] [] hi") }
    }
  }

  @Test func `HTTP 1 0 ends its connection unless it asks for another`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try client.receive().body == "GET [\"a\"] [] ")
      client.send("POST /b HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
      #expect(try client.receive().body == "POST [\"b\"] [] hi")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test(arguments: [1, 7, 4096]) func `ten thousand tiny chunks are one body`(piece: Int) throws {
    try withServer { server in
      let client = try Client(server.port)
      let count = piece == 1 ? 1_000 : 10_000
      let chunks = (0..<count).map { "1;n=\($0)\r\nx\r\n" }.joined()
      let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n".utf8)
      for start in stride(from: 0, to: bytes.count, by: piece) { client.send(Array(bytes[start..<min(start + piece, bytes.count)])) }
      #expect(try client.receive().body == "POST [] [] " + String(repeating: "x", count: count))
      client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "GET [\"next\"] [] ")
    }
  }

  @Test func `a client that ends its side is still answered`() throws {
    let waiting = Waiting()
    let mixed: Handler = { request, responder in
      request.path == ["later"] ? waiting.handler(request, responder) : .now(Response(status: 200, text: describe(request)))
    }
    try withServer(handler: mixed) { server in
      let now = try Client(server.port)
      now.send("POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
      now.finishSending()
      #expect(try now.receive().body == "POST [\"now\"] [] hi")
      #expect(try now.receiveToEnd() == "")
      let later = try Client(server.port)
      later.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      later.finishSending()
      let responder = try waiting.take()
      #expect(eventually { server.counts.suspended == 1 })
      responder.send(Response(status: 200, text: "late"))
      #expect(try later.receive().body == "late")
      #expect(try later.receiveToEnd() == "")
    }
  }

  @Test(arguments: [
    "GET", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhi",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n",
  ])
  func `a request that its client ends in the middle is 400`(half: String) throws {
    try withServer { server in
      for before in ["", "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"] {
        let client = try Client(server.port)
        client.send(before + half)
        client.finishSending()
        let answers = try #require(Answers.split(try client.receiveToEnd()))
        #expect(answers.map(\.status) == (before.isEmpty ? [400] : [200, 400]))
      }
      let silent = try Client(server.port)
      silent.finishSending()
      #expect(try silent.receiveToEnd() == "", "who asks nothing is told nothing")
    }
  }

  @Test(arguments: [16 << 10, 64 << 10]) func `a head of any size is taken or 431, and never left without an answer`(memory: Int) throws {
    var limits = Limits()
    limits.memoryPerConnection = memory
    let answer: Handler = { _, _ in
      .now(Response(status: 200, headers: ["X-Long": String(repeating: "x", count: 400), "X-Longer": String(repeating: "y", count: 300)]))
    }
    try withServer(limits, handler: answer) { server in
      var statuses: Set<Int> = []
      for kind in ["X: y\r\n", "X-Longer: \(String(repeating: "y", count: 900))\r\n", "Cookie: \(String(repeating: "a=b;", count: 16))\r\n"] {
        for size in stride(from: memory / 8, to: memory + 2_000, by: memory / 97) {
          let client = try Client(server.port)
          let fields = String(repeating: kind, count: size / kind.utf8.count)
          client.send("GET / HTTP/1.1\r\nHost: a\r\n\(fields)Y: \(String(repeating: "z", count: size % kind.utf8.count))\r\n\r\n")
          let status = try client.receive().status
          #expect(status == 200 || status == 431, "\(status) at \(size)")
          statuses.insert(status)
        }
      }
      #expect(statuses == [200, 431])
    }
  }

  @Test func `a body that is refused is told to a client that goes on sending`() throws {
    var limits = Limits()
    limits.body = 1_000
    try withServer(limits) { server in
      for head in ["Content-Length: 600000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n927c0\r\n"] {
        let client = try Client(server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\n\(head)")
        client.send([UInt8](repeating: 120, count: 600_000))
        #expect(try client.receive().status == 413)
        #expect(try client.receiveToEnd() == "")
      }
    }
  }

  @Test func `large bodies share one room, and small ones always have theirs`() throws {
    var limits = Limits()
    limits.bodies = 200_000
    try withServer(limits) { server in
      let clients = try (0..<10).map { _ in try Client(server.port) }
      for client in clients {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.receive(head: true).status == 100)
        client.send([UInt8](repeating: 120, count: 99_999))
      }
      let small = try Client(server.port)
      small.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16000\r\n\r\n\(String(repeating: "x", count: 16_000))")
      #expect(try small.receive().status == 200)
      for client in clients { client.send("x") }
      let statuses = try clients.map { try $0.receive().status }
      #expect(statuses.filter { $0 == 200 }.count == 2 && statuses.filter { $0 == 503 }.count == 8)
      let next = try Client(server.port)
      next.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 100_000))")
      #expect(try next.receive().status == 200, "what was taken is given back")
    }
  }

  @Test func `when all places stay taken, who waits is told so`() throws {
    var limits = Limits()
    limits.connections = 2
    limits.fullPatience = .milliseconds(100)
    try withServer(limits) { server in
      var clients = try (0..<2).map { _ in try Client(server.port) }
      for client in clients {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().status == 200)
      }
      let third = try Client(server.port)
      third.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try third.receive().status == 503)
      #expect(try third.receiveToEnd() == "")
      #expect(server.counts.refused == 1)
      clients.removeAll()
      #expect(eventually { server.counts.connections == 0 })
      let fourth = try Client(server.port)
      fourth.send("GET /4 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try fourth.receive().body == "GET [\"4\"] [] ")
    }
  }
}
