import CairnHTTP
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Bounds {
  @Test(arguments: [16 << 10, 64 << 10]) func `a head of any size gets a response, and is accepted or 431`(memory: Int) throws {
    var limits = Limits.patient
    limits.memoryPerConnection = memory
    let answer: Handler = { _, _ in
      .now(Response(status: 200, headers: ["X-Long": String(repeating: "x", count: 400), "X-Longer": String(repeating: "y", count: 300)]))
    }
    try withServer(limits, handler: answer) { server in
      var statuses: Set<Int> = []
      for kind in [
        "X: y\r\n", "X-Longer: \(String(repeating: "y", count: 900))\r\n", "Cookie: \(String(repeating: "a=b;", count: 16))\r\n",
      ] {
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
      for pairs in stride(from: 1, to: 1_000, by: 13) {
        let client = try Client(server.port)
        client.send("GET /?\(String(repeating: "a&", count: pairs)) HTTP/1.1\r\nHost: a\r\n\r\n")
        let status = try client.receive().status
        #expect(status == 200 || status == 431, "\(status) at \(pairs) pairs")
      }
    }
  }

  /// Runs in its own process, because the limit on descriptors is per process.
  @Test func `a lack of descriptors is logged once, and waiting clients are served afterwards`() async {
    await #expect(processExitsWith: .success) { try waitForDescriptor() }
  }

  @Test func `the rejection of a body is sent while the client still sends`() throws {
    var limits = Limits.patient
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

  @Test func `large bodies share a bounded amount of memory, and small ones are always accepted`() throws {
    var limits = Limits.patient
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

  @Test func `if all connections stay in use, waiting clients get a response`() throws {
    var limits = Limits.patient
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

private func waitForDescriptor() throws {
  let lines = Lines()
  try withServer(log: lines.add) { server in
    // The client already has its descriptor, so only the server fails to open further ones.
    let client = Client()
    try ThisProcess.withoutDescriptors {
      try client.connect(to: server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try #require(eventually { lines.all.contains { $0.contains("no file descriptor or memory is available for new connections") } })
    }
    try #require(client.receive().status == 200)
  }
}
