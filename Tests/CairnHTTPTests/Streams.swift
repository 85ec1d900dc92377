import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Streams {
  @Test func `pieces arrive one by one, after a head with Connection close`() throws {
    let feeds = Feeds()
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      let head = try client.receive(through: "\r\n\r\n")
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
      #expect(head.contains("\r\nConnection: close\r\n") && !head.contains("Content-Length"))
      #expect(try client.receive(through: "first\n") == "first\n")
      for number in 1...100 {
        #expect(stream.send("\(number)\n"))
        #expect(try client.receive(through: "\n") == "\(number)\n")
      }
      #expect(server.counts.streams == 1 && server.counts.connections == 1 && server.counts.suspended == 0)
      stream.end(Array("last".utf8))
      #expect(!stream.isOpen && !stream.send("late"))
      #expect(try client.receiveToEnd() == "last")
      #expect(feeds.nextEnd() == .ended)
    }
  }

  @Test(arguments: [true, false]) func `a stream may begin in the handler or after it`(later: Bool) throws {
    let waiting = Waiting()
    let direct: Handler = { _, responder in
      let stream = responder.stream(Response(status: 200, text: "first"))
      stream?.send(" second")
      stream?.end()
      return .later
    }
    try withServer(handler: later ? waiting.handler : direct) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.0\r\n\r\n")
      if later {
        let responder = try waiting.take()
        #expect(eventually { server.counts.suspended == 1 })
        let stream = try #require(responder.stream(Response(status: 200, text: "first")))
        stream.send(" second")
        stream.end()
        #expect(responder.stream(Response(status: 200)) == nil, "the first answer counts")
        #expect(!responder.send(Response(status: 200)))
      }
      #expect(try client.receiveToEnd().hasSuffix("\r\n\r\nfirst second"))
    }
  }

  @Test func `a later request of a connection can open a stream, and bytes after it are ignored`() throws {
    let feeds = Feeds()
    let mixed: Handler = { request, responder in
      request.path == ["stream"] ? feeds.handler(request, responder) : echo(request, responder)
    }
    try withServer(handler: mixed) { server in
      let client = try Client(server.port)
      client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "GET [\"a\"] [] ")
      client.send(
        "GET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "GET [\"b\"] [] ")
      let stream = try feeds.take()
      _ = try client.receive(through: "first\n")
      client.send("GET /d HTTP/1.1\r\nHost: a\r\n\r\n")
      stream.send("on\n")
      #expect(try client.receive(through: "\n") == "on\n")
      stream.end()
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `the response to HEAD is the head`() throws {
    let seen = Lock<[Bool]>([])
    let handler: Handler = { _, responder in
      let stream = responder.stream(Response(status: 200, text: "first"))
      seen.withLock { $0.append(stream == nil) }
      return .later
    }
    try withServer(handler: handler) { server in
      let client = try Client(server.port)
      client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      let all = try client.receiveToEnd()
      #expect(all.hasPrefix("HTTP/1.1 200 OK\r\n") && all.hasSuffix("\r\n\r\n") && !all.contains("Content-Length"))
      #expect(seen.withLock { $0 } == [true])
    }
  }

  @Test(arguments: [1, 2]) func `pieces from several threads arrive completely, and in the order of each thread`(threads: Int) throws {
    let feeds = Feeds()
    try withServer(threads: threads, handler: feeds.handler) { server in
      let clients = try (0..<20).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let streams = try clients.map { _ in try feeds.take() }
      let senders = try (0..<4).map { sender in
        try NamedThread("sender-\(sender)") {
          for number in 0..<200 {
            let piece = Array("\(sender) \(number)\n".utf8)
            for stream in streams { stream.send(piece) }
          }
        }
      }
      senders.forEach { $0.join() }
      for stream in streams { stream.end() }
      for client in clients {
        let text = try client.receiveToEnd().split(separator: "first\n")[1]
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        for sender in 0..<4 { #expect(lines.filter { $0[0] == sender }.map { $0[1] } == Array(0..<200)) }
      }
    }
  }

  @Test(arguments: [true, false]) func `a disconnected client is detected at once`(abruptly: Bool) throws {
    let feeds = Feeds()
    try withServer(handler: feeds.handler) { server in
      var client: Client? = try Client(server.port)
      client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      _ = try client?.receive(through: "first\n")
      if abruptly { client?.breakOff() }
      client = nil
      #expect(feeds.nextEnd() == .left)
      #expect(!stream.isOpen && !stream.send("late"))
      let late = Lock<StreamEnd?>(nil)
      stream.whenOver { end in late.withLock { $0 = end } }
      #expect(late.withLock { $0 } == .left, "who asks late is told at once")
      #expect(eventually { server.counts.connections == 0 })
    }
  }

  @Test func `a client that shuts down its sending side has left the stream`() throws {
    let feeds = Feeds()
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try feeds.take()
      client.finishSending()
      #expect(feeds.nextEnd() == .left)
    }
  }

  @Test func `a client that disconnects before its stream begins gets no stream`() throws {
    let waiting = Waiting()
    try withServer(handler: waiting.handler) { server in
      var client: Client? = try Client(server.port)
      client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let responder = try waiting.take()
      #expect(eventually { server.counts.suspended == 1 })
      client?.breakOff()
      client = nil
      let over = Lock(false)
      if let stream = responder.stream(Response(status: 200)) {
        stream.whenOver { _ in over.withLock { $0 = true } }
      } else {
        over.withLock { $0 = true }
      }
      #expect(eventually { over.withLock { $0 } && server.counts.connections == 0 })
    }
  }

  @Test func `a silent stream sends heartbeats`() throws {
    let feeds = Feeds { $0.heartbeat = (Array(":\n".utf8), .milliseconds(30)) }
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      // The clock is read before the stream begins, so that a delay can only lengthen the measured time.
      let start = Monotonic.now()
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      _ = try client.receive(through: "first\n")
      for _ in 1...3 { #expect(try client.receive(through: "\n") == ":\n") }
      #expect(Monotonic.now() - start >= 85_000_000)
      stream.send("word\n")
      #expect(try client.receive(through: "word\n").hasSuffix("word\n"))
      #expect(try client.receive(through: "\n") == ":\n")
    }
  }

  @Test func `a long text can be sent in pages, each after the previous one was drained`() throws {
    let feeds = Feeds { $0.waiting = 1_000 }
    let pages = Lock(0)
    @Sendable func sendPage(_ stream: ByteStream) {
      guard
        pages.withLock({
          $0 += 1; return $0
        }) <= 200, stream.send([UInt8](repeating: 65, count: 99_999) + [10])
      else { return stream.end() }
      stream.whenDrained { sendPage(stream) }
    }
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      sendPage(try feeds.take())
      _ = try client.receive(through: "first\n")
      for _ in 1...200 { #expect(try client.receive(through: "\n").utf8.count == 100_000) }
      #expect(try client.receiveToEnd() == "")
      #expect(feeds.nextEnd() == .ended)
    }
  }

  @Test func `a stream that has ended counts as drained`() throws {
    let feeds = Feeds()
    try withServer(handler: feeds.handler) { server in
      var client: Client? = try Client(server.port)
      client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      stream.send([UInt8](repeating: 65, count: 32 << 20))
      let count = Lock(0)
      stream.whenDrained { count.withLock { $0 += 1 } }
      client?.breakOff()
      client = nil
      #expect(feeds.nextEnd() == .left)
      #expect(count.withLock { $0 } == 1)
      stream.whenDrained { count.withLock { $0 += 1 } }
      #expect(count.withLock { $0 } == 2)
    }
  }

  @Test func `a client that floods the connection of its stream is disconnected`() throws {
    let feeds = Feeds()
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try feeds.take()
      client.send([UInt8](repeating: 65, count: 4 << 20))
      #expect(feeds.nextEnd() == .left)
    }
  }
}
