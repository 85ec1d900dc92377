import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Heads {
  private static let raw: [(String, String)] = [
    ("Host", "a"), ("X-A", "1"), ("x-a", " \t2 \t"), ("Empty", ""), ("Blank", " \t "), ("X-B", "caf\u{E9}"),
  ]

  @Test func `fields have the sent values, without leading and trailing white space`() throws {
    let seen: Handler = { request, _ in
      let headers = request.headers
      #expect(headers.fields.map(\.name) == ["Host", "X-A", "x-a", "Empty", "Blank", "X-B"])
      #expect(headers.fields.map(\.value) == ["a", "1", "2", "", "", "caf\u{E9}"])
      #expect(headers.all("X-a") == ["1", "2"] && headers["X-A"] == "1" && headers.count("x-A") == 2)
      #expect(headers["Empty"] == "" && headers["Blank"] == "" && headers["Nothing"] == nil && headers["X-"] == nil)
      #expect(headers.bytes("x-b").map { Array($0) } == Array("caf\u{E9}".utf8))
      return .now(Response(status: 200))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\n\(Self.raw.map { "\($0.0):\($0.1)\r\n" }.joined())\r\n")
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `a value that is not UTF-8 keeps its bytes, and has replacement characters as text`() throws {
    let seen: Handler = { request, _ in
      #expect(request.headers["X"] == "a\u{FFFD}b")
      #expect(request.headers.bytes("X").map { Array($0) } == [0x61, 0xFF, 0x62])
      return .now(Response(status: 200))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send(Array("GET / HTTP/1.1\r\nHost: a\r\nX: a".utf8) + [0xFF] + Array("b\r\n\r\n".utf8))
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `the only field of a name is borrowed without white space`() throws {
    let seen: Handler = { request, _ in
      let headers = request.headers
      #expect(headers.withOnly("x-b") { String(decoding: $0, as: UTF8.self) } == "caf\u{E9}")
      #expect(headers.withOnly("Blank", \.isEmpty) == true && headers.withOnly("Empty", \.isEmpty) == true)
      #expect(headers.withOnly("X-A", \.count) == nil && headers.withOnly("Nothing", \.count) == nil)
      #expect(headers.has("x-A") && headers.has("Empty") && !headers.has("Nothing"))
      return .now(Response(status: request.withMethod { $0.isEqual(to: "GET") } ? 200 : 500))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\n\(Self.raw.map { "\($0.0):\($0.1)\r\n" }.joined())\r\n")
      #expect(try client.receive().status == 200)
    }
  }

  @Test(arguments: [1, 200]) func `16 KiB per connection suffice for a long head and for one with many fields`(fields: Int) throws {
    var limits = Limits.patient
    limits.memoryPerConnection = 16 << 10
    let value = String(repeating: "y", count: fields == 1 ? 14_000 : 3)
    let seen: Handler = { request, _ in
      #expect(request.headers.fields.count == fields + 1 && request.headers["X1"] == value)
      return .now(Response(status: 200, text: "ok"))
    }
    try withServer(limits, handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\((1...fields).map { "X\($0): \(value)\r\n" }.joined())\r\n")
      #expect(try client.receive().status == 200)
    }
  }

  @Test(arguments: [
    ("/", []), ("//", ["", ""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("/?/b", []), ("/a?/b", ["a"]), ("/a/.b/..c", ["a", ".b", "..c"]),
    ("/1/2/3/4/5/6/7/8/9", ["1", "2", "3", "4", "5", "6", "7", "8", "9"]), ("http://a/b/c", ["b", "c"]),
  ])
  func `a path is split at its slashes`(target: String, path: [String]) throws {
    let seen: Handler = { request, _ in
      #expect(request.path == path)
      return .now(Response(status: 200))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `the segments of a path are available as bytes and as text, decoded or raw`() throws {
    let seen: Handler = { request, _ in
      #expect(request.segments.map { Array($0) } == request.path.map { Array($0.utf8) })
      #expect(request.path == ["a", "b/c", "ä", ""] && request.segments.text(1) == "b/c")
      return .now(Response(status: 200))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET /a/b%2fc/%C3%A4/?x=%20 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 200)
    }
  }

  /// A request holds copies of its values, because the memory of the connection contains the next request when the test reads them.
  @Test func `a request keeps its values after its connection has read the next one`() throws {
    let waiting = Waiting()
    let kept = Kept()
    let keeping: Handler = { request, responder in
      kept.keep(request)
      return waiting.handler(request, responder)
    }
    try withServer(handler: keeping) { server in
      let client = try Client(server.port)
      client.send("GET /first?n=1 HTTP/1.1\r\nHost: a\r\nX: 1\r\n\r\nGET /second?n=2 HTTP/1.1\r\nHost: a\r\nX: 2\r\n\r\n")
      try waiting.take().send(Response(status: 200))
      try waiting.take().send(Response(status: 200))
      #expect(try client.receive().status == 200)
      #expect(try client.receive().status == 200)
      let requests = kept.all
      #expect(requests.map(\.path) == [["first"], ["second"]] && requests.map { $0.query("n") } == ["1", "2"])
      #expect(requests.map { $0.headers["X"] } == ["1", "2"] && requests[0].id != requests[1].id)
    }
  }
}

/// Keeps the requests that connection threads have received.
private final class Kept: Sendable {
  private let requests = Lock<[Request]>([])

  var all: [Request] { requests.withLock { $0 } }

  func keep(_ request: Request) { requests.withLock { $0.append(request) } }
}
