import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct RawSockets {
  @Test(arguments: [
    "HEAD /%00 HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "HEAD /\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
  ])
  func `a problem in response to HEAD has no body`(request: String) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send(request)
      let all = try client.receiveToEnd()
      #expect(all.hasPrefix("HTTP/1.1 ") && all.hasSuffix("\r\n\r\n") && !all.contains("Content-Length: 0\r\n"), "\(all)")
    }
  }

  @Test func `rare but valid requests are accepted, and the connection stays open`() throws {
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
      // Fifty requests in one write.
      client.send(String(repeating: "\r\nPOST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", count: 50))
      for _ in 1...50 { #expect(try client.receive().body == "POST [] [] hi") }
    }
  }

  @Test func `HTTP 1 0 closes its connection unless keep-alive is requested`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try client.receive().body == "GET [\"a\"] [] ")
      client.send("POST /b HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
      #expect(try client.receive().body == "POST [\"b\"] [] hi")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `bytes after the last request of a connection are ignored`() throws {
    try withServer { server in
      for rest in ["GET /2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /2 HT", "\0\r\r\n\r\n"] {
        let client = try Client(server.port)
        client.send("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + rest)
        #expect(Answers.split(try client.receiveToEnd())?.map(\.body) == ["GET [\"1\"] [] "])
      }
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

  @Test func `a client that shuts down its sending side still gets its response`() throws {
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
  func `a request that ends in the middle is 400`(half: String) throws {
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
}
