import CairnHTTP
import Testing

/// Bytes that two readers could frame differently, and what must come of them.
struct Probe: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: String
  let status: Int
  var testDescription: String { name }

  init(_ name: String, _ status: Int, _ bytes: String) {
    self.name = name
    self.status = status
    self.bytes = bytes
  }
}

private let get = "GET / HTTP/1.1\r\nHost: a\r\n"
private let post = "POST / HTTP/1.1\r\nHost: a\r\n"
private let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

private let probes = [
  Probe("two Content-Lengths that differ", 400, "\(post)Content-Length: 3\r\nContent-Length: 40\r\n\r\nabc\(smuggled)"),
  Probe("two Content-Lengths that agree", 400, "\(post)Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc\(smuggled)"),
  Probe("Content-Length with chunked", 400, "\(post)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("a blank before the colon", 400, "\(post)Content-Length : 3\r\n\r\nabc\(smuggled)"),
  Probe("a tab before the colon", 400, "\(post)Content-Length\t: 3\r\n\r\nabc\(smuggled)"),
  Probe("an unknown transfer coding", 501, "\(post)Transfer-Encoding: gzip\r\n\r\n\(smuggled)"),
  Probe("a list of transfer codings", 501, "\(post)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("chunked misspelt", 501, "\(post)Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("chunked with a blank behind it", 501, "\(post)Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("Content-Length on a folded line", 400, "\(post)Content-Length:\r\n 5\r\n\r\nhello\(smuggled)"),
  Probe("Content-Length that ends on a folded line", 400, "\(post)Content-Length: 5\r\n x\r\nX: y\r\n\r\nhello\(smuggled)"),
  Probe("a folded line that says nothing", 400, "\(post)Content-Length: 5\r\n \r\n\r\nhello\(smuggled)"),
  Probe("a folded line of a harmless field", 400, "\(get)X: a\r\n b\r\nY: c\r\n\r\n\(smuggled)"),
  Probe("a NUL in a value", 400, "\(get)X: a\0b\r\nY: c\r\n\r\n\(smuggled)"),
  Probe("a NUL in the last value", 400, "\(get)X: a\0b\r\n\r\n\(smuggled)"),
  Probe("a NUL at the end of a value", 400, "\(post)Transfer-Encoding: chunked\0\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("two blanks in the request line", 400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n\(smuggled)"),
  Probe("chunked on a folded line", 400, "\(post)Transfer-Encoding:\r\n x\r\n chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("chunked twice", 400, "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("chunked in HTTP/1.0", 400, "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
  Probe("two Hosts", 400, "\(get)Host: b\r\n\r\n\(smuggled)"),
  Probe("no Host", 400, "GET / HTTP/1.1\r\n\r\n\(smuggled)"),
  Probe("a Host that is none", 400, "GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n\(smuggled)"),
  Probe("two Hosts in HTTP/1.0", 400, "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n\(smuggled)"),
  Probe("a name that is no token", 400, "\(get)X(y): 1\r\n\r\n\(smuggled)"),
  Probe("a control character in a value", 400, "\(get)X: 1\u{1}2\r\n\r\n\(smuggled)"),
  Probe("a method that is no token", 400, "G@T / HTTP/1.1\r\nHost: a\r\n\r\n\(smuggled)"),
  Probe("HTTP/1.2", 505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n\(smuggled)"),
  Probe("HTTP/2.0", 505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n\(smuggled)"),
  Probe("a Content-Length beyond the limit", 413, "\(post)Content-Length: 1048577\r\n\r\n"),
]

@Suite struct FramingProbes {
  @Test(arguments: probes) func `a head that could be read in two ways gets one answer and the end of its connection`(
    probe: Probe
  ) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send(probe.bytes)
      let answer = try client.receive()
      #expect(answer.status == probe.status)
      #expect(answer["Connection"]?.lowercased() == "close")
      #expect(answer.body.contains("smuggled") == false)
      #expect(try client.receiveToEnd() == "", "nothing follows: no second status line, no second answer")
    }
  }

  /// What libmicrohttpd refuses before it asks us. Its answer may be its own, 0.9.75 sends some twice; the connection must end.
  @Test(arguments: [
    Probe("a negative Content-Length", 400, "\(post)Content-Length: -3\r\n\r\nabc\(smuggled)"),
    Probe("a Content-Length with letters", 400, "\(post)Content-Length: 3x\r\n\r\nabc\(smuggled)"),
    Probe("a Content-Length with a plus", 400, "\(post)Content-Length: +3\r\n\r\nabc\(smuggled)"),
    Probe("two numbers in one Content-Length", 400, "\(post)Content-Length: 3, 3\r\n\r\nabc\(smuggled)"),
    Probe("an empty Content-Length", 400, "\(post)Content-Length: \r\n\r\nabc\(smuggled)"),
    Probe("a Content-Length past 64 bits", 413, "\(post)Content-Length: 99999999999999999999\r\n\r\nabc\(smuggled)"),
    Probe("a line without a colon", 400, "\(get)nonsense\r\n\r\n\(smuggled)"),
    Probe("a head beyond the memory", 431, "\(get)X: \(String(repeating: "y", count: 70_000))\r\n\r\n\(smuggled)"),
    Probe("a chunk size that is no number", 400, "\(post)Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n\(smuggled)"),
    Probe("a chunk longer than said", 400, "\(post)Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n\(smuggled)"),
  ])
  func `what the library refuses by itself ends its connection as well`(probe: Probe) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send(probe.bytes)
      let all = try client.receiveToEnd()
      #expect(all.isEmpty || all.hasPrefix("HTTP/1.1 \(probe.status)") || all.hasPrefix("HTTP/1.1 4"), "\(all.prefix(80))")
      #expect(!all.contains("smuggled") && !all.contains(" 200 "))
    }
  }

  /// The look at the memory must not refuse what is whole: heads that come in pieces, grow the buffer, or wait behind another request.
  @Test(arguments: ["\r\n", "\n"]) func `a large head passes in pieces and in a pipeline`(line: String) throws {
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
