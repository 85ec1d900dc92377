import CairnHTTP
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Conversations {
  @Test func `a connection carries several requests`() throws {
    try withServer { server in
      let client = try Client(server.port)
      for number in 1...5 {
        client.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        let answer = try client.receive()
        #expect(answer.body == "POST [\"\(number)\"] [] hi")
        #expect(answer["Date"] != nil)
      }
      #expect(server.counts.connections == 1)
    }
  }

  @Test(arguments: [1, 2]) func `two requests sent at once are answered in order`(threads: Int) throws {
    try withServer(threads: threads) { server in
      let client = try Client(server.port)
      client.send(
        "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      #expect(try client.receive().body == "POST [\"1\"] [] x")
      #expect(try client.receive().body == "GET [\"2\"] [] ")
      #expect(try client.receive().body == "GET [\"3\"] [] ")
    }
  }

  @Test func `the chunks of a body are joined, and the connection stays open`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n")
      client.send("4;x=y\r\ndefg\r\n0\r\nContent-Length: 99\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "POST [] [] abcdefg")
      #expect(try client.receive().body == "GET [\"next\"] [] ")
    }
  }

  @Test func `100 Continue is sent for a body that is within the limit`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.receive().status == 100)
      client.send("hi")
      #expect(try client.receive().body == "POST [] [] hi")
    }
  }

  @Test func `a body that is too long is rejected before the client sends it`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.receive().status == 413)
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `a body of the maximum length is accepted, with a length and in chunks`() throws {
    let size: Handler = { request, _ in .now(Response(status: 200, text: "\(request.body.count)")) }
    try withServer(handler: size) { server in
      let client = try Client(server.port)
      let body = String(repeating: "x", count: 1 << 20)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n\(body)")
      #expect(try client.receive().body == "1048576")
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n\(body)\r\n0\r\n\r\n")
      #expect(try client.receive().body == "1048576")
    }
  }

  @Test func `chunks beyond the limit are rejected with 413, and the connection closes`() throws {
    var limits = Limits.patient
    limits.body = 1000
    try withServer(limits) { server in
      let client = try Client(server.port)
      let chunk = "258\r\n\(String(repeating: "x", count: 0x258))\r\n"
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n")
      #expect(try client.receive().status == 413)
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `a client that sends chunks without end is disconnected`() throws {
    var limits = Limits.patient
    limits.body = 1000
    try withServer(limits) { server in
      let client = try Client(server.port)
      let chunk = "258\r\n\(String(repeating: "x", count: 0x258))\r\n"
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 1...100 { client.send(chunk) }
      #expect(try !client.receiveToEnd().contains(" 200 "))
    }
  }

  @Test func `HEAD gets the head of GET`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive(head: true)
      #expect(answer.status == 200)
      #expect(answer["Content-Length"] == "\("HEAD [\"a\"] [] ".utf8.count)")
      client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "GET [\"b\"] [] ", "no byte of a body was between")
    }
  }

  @Test(arguments: [204, 304]) func `a response with a status that forbids a body has none`(status: Int) throws {
    let bodied: Handler = { request, _ in
      .now(Response(status: request.path == ["x"] ? status : 200, text: "text"))
    }
    try withServer(handler: bodied) { server in
      let client = try Client(server.port)
      client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == status)
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `headers keep their order and repetitions, and are found without regard to case`() throws {
    let seen: Handler = { request, _ in
      let headers = request.headers
      return .now(Response(status: 200, text: "\(headers.all("x-a")) \(headers["X-B"] ?? "none") \(request.remoteAddress)"))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-b:  2 \r\nX-a: 3\r\n\r\n")
      #expect(try client.receive().body == "[\"1\", \"3\"] 2 127.0.0.1")
    }
  }

  @Test func `each request has a unique id`() throws {
    let id: Handler = { request, _ in .now(Response(status: 200, text: request.id)) }
    try withServer(handler: id) { server in
      var ids: Set<String> = []
      for _ in 1...3 {
        let client = try Client(server.port)
        for _ in 1...3 {
          client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          ids.insert(try client.receive().body)
        }
      }
      #expect(ids.count == 9)
    }
  }

  @Test func `the headers of a response are sent, except for those of the framing`() throws {
    let own: Handler = { _, _ in
      let headers: Headers = ["Location": "/x", "Content-Length": "999", "X": "1", "X": "2", "Empty": ""]
      return .now(Response(status: 201, headers: headers, body: [65]))
    }
    try withServer(handler: own) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 201)
      #expect(answer["Location"] == "/x")
      #expect(answer["Content-Length"] == "1")
      #expect(answer.body == "A")
      #expect(answer.head.contains("X: 1\r\nX: 2\r\n"))
    }
  }

  @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\0b", "a\u{7F}"])
  func `a header value cannot start another line`(value: String) throws {
    let lines = Lines()
    let bad: Handler = { _, _ in .now(Response(status: 200, headers: ["Location": value], body: [65])) }
    try withServer(log: lines.add, handler: bad) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 500)
      #expect(answer["Set-Cookie"] == nil && answer["Location"] == nil)
      #expect(lines.all.contains { $0.contains("invalid header") })
    }
  }

  @Test(arguments: [0, 100, 600, -1, 70_000]) func `an invalid status is sent as 500`(status: Int) throws {
    try withServer(handler: { _, _ in .now(Response(status: status)) }) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 500)
    }
  }

  @Test func `Connection close is honoured in requests and responses`() throws {
    let closing: Handler = { request, _ in
      .now(Response(status: 200, headers: request.path == ["x"] ? ["Connection": "close"] : [:]))
    }
    try withServer(handler: closing) { server in
      for request in ["GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] {
        let client = try Client(server.port)
        client.send(request)
        #expect(try client.receive()["Connection"]?.lowercased() == "close")
        #expect(try client.receiveToEnd() == "")
      }
    }
  }
}
