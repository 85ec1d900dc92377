import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Streams with slow clients` {
  @Test func `a slow reader is disconnected, and others continue`() throws {
    let feeds = Feeds()
    let lines = Lines()
    try withServer(log: lines.add, handler: feeds.handler) { server in
      let slow = try Client(server.port)
      slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let neglected = try feeds.take()
      let quick = try Client(server.port)
      quick.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let read = try feeds.take()
      _ = try quick.receive(through: "first\n")
      let piece = [UInt8](repeating: 65, count: 9_999) + [10]
      var sent = 0
      while neglected.send(piece), sent < 10_000 {
        sent += 1
        #expect(read.send(piece))
        #expect(try quick.receive(through: "\n").utf8.count == 10_000)
      }
      #expect(sent < 10_000 && !neglected.isOpen)
      #expect(feeds.nextEnd() == .slow)
      #expect(server.counts.cut == 1 && server.counts.streams == 1)
      #expect(lines.all.contains { $0.contains("client read it too slowly") })
      #expect(read.send("still\n"))
      #expect(try quick.receive(through: "\n") == "still\n")
      #expect(try slow.receiveToEnd().utf8.count < sent * 10_000 + 300)
    }
  }

  @Test func `a client that reads nothing for longer than a heartbeat delays no other`() throws {
    let feeds = Feeds { $0.heartbeat = (Array(":\n".utf8), .milliseconds(20)) }
    // One thread, so that both connections share it.
    try withServer(threads: 1, handler: feeds.handler) { server in
      let slow = try Client(server.port)
      slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let neglected = try feeds.take()
      neglected.end([UInt8](repeating: 65, count: 32 << 20) + [10])
      let quick = try Client(server.port)
      quick.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try feeds.take()
      _ = try quick.receive(through: "first\n")
      // While five heartbeats arrive here, five are due for the slow connection too.
      for _ in 1...5 { #expect(try quick.receive(through: "\n") == ":\n") }
      // A heartbeat may have been sent before the bytes.
      let all = try slow.receive(through: "A\n")
      #expect(all.utf8.count { $0 == UInt8(ascii: "A") } == 32 << 20)
    }
  }

  @Test func `a client that stays connected after the end of its stream delays no other`() throws {
    let feeds = Feeds { $0.heartbeat = (Array(":\n".utf8), .milliseconds(20)) }
    try withServer(threads: 1, handler: feeds.handler) { server in
      let staying = try Client(server.port)
      staying.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try feeds.take().end()
      #expect(try staying.receiveToEnd().contains("first\n"))
      let quick = try Client(server.port)
      quick.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try feeds.take()
      _ = try quick.receive(through: "first\n")
      for _ in 1...5 { #expect(try quick.receive(through: "\n") == ":\n") }
    }
  }

  @Test func `one large piece is sent completely`() throws {
    let feeds = Feeds { $0.waiting = 1_000 }
    try withServer(handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      #expect(stream.send([UInt8](repeating: 65, count: 32 << 20) + [10] as [UInt8]))
      _ = try client.receive(through: "first\n")
      #expect(try client.receive(through: "\n").utf8.count == 32 << 20 + 1)
      #expect(stream.send("on\n"))
      #expect(try client.receive(through: "\n") == "on\n")
    }
  }

  @Test func `an unread end has the same deadline as a response`() throws {
    var limits = Limits.patient
    limits.download = .milliseconds(200)
    let feeds = Feeds()
    try withServer(limits, handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      stream.end([UInt8](repeating: 65, count: 32 << 20))
      let end = feeds.nextEnd()
      #expect(end == .slow || end == .left, "whoever notices first: the deadline here, or that of the socket")
      #expect(try client.receiveToEnd().utf8.count < 32 << 20)
    }
  }

  @Test(arguments: [1, 2]) func `a stop sends buffered bytes, and ends open streams`(threads: Int) throws {
    let feeds = Feeds()
    let lines = Lines()
    try withServer(threads: threads, log: lines.add, handler: feeds.handler) { server in
      let clients = try (0..<40).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let streams = try clients.map { _ in try feeds.take() }
      for (number, stream) in streams.enumerated() {
        stream.send("before\n")
        if number < 20 { stream.end(Array("end\n".utf8)) }
      }
      server.stop()
      #expect(!lines.all.contains { $0.contains("although requests are still in progress") })
      for client in clients {
        let text = try client.receiveToEnd()
        #expect(text.hasSuffix("first\nbefore\n") || text.hasSuffix("first\nbefore\nend\n"))
      }
      let ends = clients.map { _ in feeds.nextEnd() }
      #expect(ends.count { $0 == .ended } == 20 && ends.count { $0 == .stopping } == 20)
      #expect(streams.allSatisfy { !$0.isOpen && !$0.send("late") })
    }
  }

  /// There are too many streams for one round of the loop. All have been silent for longer than the stall limit of a stop.
  @Test func `a stop sends the buffered bytes of streams that were silent for long`() throws {
    var limits = Limits.patient
    limits.stall = .milliseconds(1)
    limits.connectionsPerAddress = 0
    let feeds = Feeds()
    try withServer(limits, handler: feeds.handler) { server in
      let clients = try (0..<300).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      for client in clients { _ = try client.receive(through: "first\n") }
      let streams = try clients.map { _ in try feeds.take() }
      pass(.milliseconds(5))
      for stream in streams { stream.end(Array("end\n".utf8)) }
      server.stop()
      for client in clients { #expect(try client.receiveToEnd() == "end\n") }
    }
  }

  @Test func `a stop does not wait for an unread stream`() throws {
    let feeds = Feeds { $0.waiting = 64 << 20 }
    let lines = Lines()
    try withServer(log: lines.add, handler: feeds.handler) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let stream = try feeds.take()
      for _ in 1...32 { stream.send([UInt8](repeating: 65, count: 1 << 20)) }
      server.stop()
      #expect(!lines.all.contains { $0.contains("although requests are still in progress") })
      #expect(try client.receiveToEnd().utf8.count < 32 << 20)
      #expect(feeds.nextEnd() == .stopping)
    }
  }

  @Test func `streams count as connections, in total and per address`() throws {
    var limits = Limits.patient
    limits.connectionsPerAddress = 3
    let feeds = Feeds()
    try withServer(limits, handler: feeds.handler) { server in
      let clients = try (0..<3).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let streams = try clients.map { _ in try feeds.take() }
      let more = try Client(server.port)
      #expect(try more.receive().status == 429)
      streams[0].end()
      _ = try clients[0].receiveToEnd()
      #expect(eventually { server.counts.connections == 2 })
      let next = try Client(server.port)
      next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try next.receive(through: "first\n").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `open streams leave connections for requests`() throws {
    var limits = Limits.patient
    limits.connections = 8
    let feeds = Feeds()
    try withServer(limits, fault: plainFault, handler: feeds.handler) { server in
      let clients = try (0..<8).map { _ in try Client(server.port) }
      for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      let heads = try clients.map { try $0.receive(through: "\r\n\r\n") }
      #expect(heads.count { $0.hasPrefix("HTTP/1.1 200 ") } == 7 && heads.count { $0.hasPrefix("HTTP/1.1 503 ") } == 1)
      #expect(feeds.nextEnd() == .left)
      #expect(server.counts.streams == 7)
    }
  }

  /// Streams begin, receive bytes from two threads, and end in three ways, also during the stop. Each end is reported once.
  @Test(arguments: [1, 2]) func `streams that begin and end under load disturb no other`(threads: Int) throws {
    let open = Lock<[ByteStream]>([])
    let figures = Lock((begun: 0, ended: 0))
    let isOver = Lock(false)
    let handler: Handler = { _, responder in
      guard let stream = responder.stream(Response(status: 200, text: "first\n")) else { return .later }
      figures.withLock { $0.begun += 1 }
      stream.whenOver { _ in figures.withLock { $0.ended += 1 } }
      open.withLock { $0.append(stream) }
      return .later
    }
    try withServer(threads: threads, handler: handler) { server in
      let senders = try (0..<2).map { number in
        try NamedThread("sender-\(number)") {
          while !isOver.withLock({ $0 }) {
            open.withLock { $0.removeAll { !$0.isOpen } }
            for stream in open.withLock({ $0 }) { stream.send("word\n") }
          }
        }
      }
      let clients = try (0..<8).map { number in
        try NamedThread("client-\(number)") {
          for round in 0..<30 {
            guard let client = try? Client(server.port) else { return }
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            // Another client may have ended the stream.
            guard (try? client.receive(through: "word\n")) != nil else { continue }
            if round % 3 == 0 { client.breakOff() }
            if round % 3 == 1 { open.withLock { $0.last }?.end() }
          }
        }
      }
      clients[0].join()
      let last = try (0..<20).map { _ in try Client(server.port) }
      for client in last { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      server.stop()
      clients.forEach { $0.join() }
      isOver.withLock { $0 = true }
      senders.forEach { $0.join() }
      open.withLock { $0 = [] }
    }
    #expect(figures.withLock { $0.begun } >= 30)
    #expect(figures.withLock { $0.begun == $0.ended })
  }

  /// Runs in its own process, where nothing else starts threads or opens descriptors.
  @Test func `two thousand streams use no thread each, and release every descriptor`() async {
    await #expect(processExitsWith: .success) { try twoThousandStreams() }
  }
}

private func twoThousandStreams() throws {
  ThisProcess.allowDescriptors(8_192)
  var limits = Limits.patient
  limits.connectionsPerAddress = 0
  let feeds = Feeds()
  try withServer(limits, threads: 2, handler: feeds.handler) { server in
    var first: Client? = try Client(server.port)
    first?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try feeds.take()
    let (threads, descriptors) = (ThisProcess.threads, ThisProcess.descriptors)
    var clients: [Client] = []
    var streams: [ByteStream] = []
    for _ in 1...20 {
      let some = try (0..<100).map { _ in try Client(server.port) }
      for client in some { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
      streams += try some.map { _ in try feeds.take() }
      clients += some
    }
    try #require(eventually { server.counts.streams == 2_001 } && server.counts.connections == 2_001)
    for number in 1...3 {
      let piece = Array("\(number)\n".utf8)
      for stream in streams { try #require(stream.send(piece)) }
    }
    for client in clients { try #require(try client.receive(through: "3\n").hasSuffix("first\n1\n2\n3\n")) }
    try #require(ThisProcess.threads(named: "http-") == 2, "a thread has the name of the one that made it")
    try #require(ThisProcess.threads < threads + 10, "whatever the tests' own pool does")
    // There is one descriptor on each side of a connection. The libraries of the process open and close a few more.
    try #require(eventually { abs(ThisProcess.descriptors - descriptors - 4_000) < 10 }, "\(ThisProcess.descriptors - descriptors)")
    clients = []
    for _ in 1...2_000 { try #require(feeds.nextEnd() == .left) }
    try #require(eventually { server.counts.connections == 1 && server.counts.streams == 1 })
    try #require(eventually { abs(ThisProcess.descriptors - descriptors) < 10 })
    first = nil
  }
}
