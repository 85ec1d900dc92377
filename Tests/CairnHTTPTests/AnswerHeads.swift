import CairnHTTP
import CairnTesting
import Testing

/// Tests of the response heads that replace those of libmicrohttpd.
@Suite(.tags(.timing), .ownThreads) struct `Heads of responses` {
  @Test func `an HTTP 1 0 connection closes after its response unless the request asks for keep-alive`() throws {
    try withServer { server in
      let once = try Client(server.port)
      once.send("GET /a HTTP/1.0\r\n\r\n")
      let answer = try once.receive()
      #expect(answer["Connection"] == "close" && answer.body == "GET [\"a\"] [] ")
      #expect(try once.receiveToEnd() == "")
      let again = try Client(server.port)
      for path in ["b", "c"] {
        again.send("GET /\(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let answer = try again.receive()
        #expect(answer["Connection"] == "Keep-Alive" && answer.body == "GET [\"\(path)\"] [] ")
      }
    }
  }

  @Test func `an HTTP 1 1 response has no Connection field if the connection stays open`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive()
      #expect(answer["Connection"] == nil)
      for name in ["Date: ", "Content-Length: "] {
        #expect(answer.head.split(separator: "\r\n").count { $0.hasPrefix(name) } == 1)
      }
    }
  }

  @Test(arguments: [(200, "5"), (204, nil), (304, nil), (404, "5")])
  func `Content-Length is that of the body that GET returns`(status: Int, length: String?) throws {
    let fixed: Handler = { _, _ in .now(Response(status: status, headers: ["ETag": "\"1\""], body: Array("12345".utf8))) }
    try withServer(handler: fixed) { server in
      let client = try Client(server.port)
      for method in ["GET", "HEAD"] {
        client.send("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.receive(head: method == "HEAD")
        #expect(answer.status == status && answer["Content-Length"] == length && answer["ETag"] == "\"1\"")
      }
    }
  }

  /// The body is larger than the socket buffers, so the kernel repeatedly accepts only a part of it.
  @Test(arguments: ["1.1", "1.0"]) func `a response sent in parts arrives completely, before the next one`(version: String) throws {
    let size = 32 << 20
    let pattern = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let large: Handler = { request, _ in .now(Response(status: 200, body: request.path == ["large"] ? pattern : Array("small".utf8))) }
    try withServer(handler: large) { server in
      let client = try Client(server.port)
      let fields = version == "1.0" ? "Connection: keep-alive\r\n" : "Host: a\r\n"
      client.send("GET /large HTTP/\(version)\r\n\(fields)\r\nGET /small HTTP/\(version)\r\n\(fields)\r\n")
      // The client does not read until the socket buffers are full.
      #expect(eventually { client.unread >= 64 << 10 })
      let answer = try client.receiveBytes()
      #expect(answer == pattern)
      #expect(try client.receive().body == "small")
    }
  }

  @Test func `a client that disconnects during a response disturbs no other`() throws {
    let large: Handler = { _, _ in .now(Response(status: 200, body: [UInt8](repeating: 7, count: 16 << 20))) }
    try withServer(handler: large) { server in
      for _ in 0..<8 {
        let client = try Client(server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { client.unread > 0 })
        client.breakOff()
      }
      #expect(eventually { server.counts.connections == 0 })
    }
  }
}
