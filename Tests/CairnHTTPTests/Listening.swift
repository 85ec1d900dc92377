import CairnHTTP
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Listening {
  @Test func `an address in use is reported`() throws {
    try withServer { server in
      #expect(throws: ServerError.addressInUse(host: "127.0.0.1", port: server.port)) {
        _ = try Server(host: "127.0.0.1", port: server.port, handler: echo)
      }
    }
  }

  @Test(arguments: ["nonsense", "", "192.0.2.1", "1.2.3", "[::1", "2001:db8::1"])
  func `a host that is not an address of this machine is reported`(host: String) {
    #expect(throws: ServerError.addressNotAvailable(host: host)) { _ = try Server(host: host, port: 0, handler: echo) }
  }

  @Test(arguments: [-1, 65536]) func `an invalid port is rejected`(port: Int) {
    #expect(throws: ServerError.self) { _ = try Server(host: "127.0.0.1", port: port, handler: echo) }
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"), ("::", "127.0.0.1"), ("::", "::1"),
  ])
  func `a server listens on IPv4, IPv6 and localhost, and reports the address of its client`(host: String, client address: String) throws {
    let who: Handler = { request, _ in .now(Response(status: 200, text: request.remoteAddress)) }
    try withServer(host: host, handler: who) { server in
      let client = try Client(server.port, host: address)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == address)
    }
  }

  @Test func `a port is free again after the stop`() throws {
    var port = 0
    try withServer { server in
      port = server.port
      let client = try Client(port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.receive()
    }
    try Server(host: "127.0.0.1", port: port, handler: echo).stop()
  }

  @Test(arguments: [1, 2]) func `the number of connections per address is limited`(threads: Int) throws {
    var limits = Limits.patient
    limits.connectionsPerAddress = 3
    try withServer(limits, threads: threads) { server in
      var clients = try (0..<3).map { _ in try Client(server.port) }
      for client in clients {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().status == 200)
      }
      let fourth = try Client(server.port)
      fourth.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try fourth.receive().status == 429)
      #expect(try fourth.receiveToEnd() == "")
      #expect(server.counts.refused == 1)
      clients.removeLast()
      #expect(eventually { server.counts.connections == 2 })
      let fifth = try Client(server.port)
      fifth.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try fifth.receive().status == 200)
    }
  }

  @Test func `the version of the library is available`() {
    #expect(Server.libraryVersion.split(separator: ".").count >= 3)
  }
}
