import CairnHTTP
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct WholeHeads {
  /// The check of the connection's memory must not reject a complete head that comes in pieces, grows the buffer, or waits behind another request.
  @Test(arguments: ["\r\n", "\n"]) func `a large head is accepted in pieces and in a pipeline`(line: String) throws {
    try withServer { server in
      let client = try Client(server.port)
      let fields = (0..<400).map { "X-\($0): \(String(repeating: "y", count: 50)) \(line)" }.joined()
      let heads =
        "GET /1 HTTP/1.1\(line)Host:a\(line)Empty:\(line)Blank: \t\(line)\(fields)\(line)"
        + "GET /2 HTTP/1.1\(line)Host: a\(line)\(fields)\(line)"
      var rest = Array(heads.utf8)[...]
      while !rest.isEmpty {
        client.send(Array(rest.prefix(997)))
        rest = rest.dropFirst(997)
      }
      #expect(try client.receive().body == "GET [\"1\"] [] ")
      #expect(try client.receive().body == "GET [\"2\"] [] ")
    }
  }

  @Test func `HTTP 1 0 needs no Host`() throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET /a HTTP/1.0\r\n\r\n")
      #expect(try client.receiveToEnd().hasSuffix("GET [\"a\"] [] "))
    }
  }
}
