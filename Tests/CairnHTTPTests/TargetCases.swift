import CairnHTTP
import CairnTesting
import Testing

private let accepted: [(String, String)] = [
  ("/", "GET [] [] "),
  ("/a", "GET [\"a\"] [] "),
  ("/a/", "GET [\"a\", \"\"] [] "),
  ("//a", "GET [\"\", \"a\"] [] "),
  ("/a%2Fb/c", "GET [\"a/b\", \"c\"] [] "),
  ("/a+b", "GET [\"a+b\"] [] "),
  ("/%C3%A4%20b", "GET [\"ä b\"] [] "),
  ("/...", "GET [\"...\"] [] "),
  ("/a?", "GET [\"a\"] [] "),
  ("/a?x", "GET [\"a\"] [x=] "),
  ("/a?x=", "GET [\"a\"] [x=] "),
  ("/a?x=1&x=2&&y=a=b", "GET [\"a\"] [x=1&x=2&y=a=b] "),
  ("/a?x=a+b%2Bc%26d", "GET [\"a\"] [x=a b+c&d] "),
  ("/a?x=/../?", "GET [\"a\"] [x=/../?] "),
  ("http://a/b?x=1", "GET [\"b\"] [x=1] "),
  ("HTTPS://A/b%20c", "GET [\"b c\"] [] "),
  ("http://a", "GET [] [] "),
  ("http://a/", "GET [] [] "),
  ("http://a?x=http://b/", "GET [] [x=http://b/] "),
]

private let refused: [String] = [
  "http://b/b", "http://a:80/b", "http://a.b/", "http:/a/b", "http:a", "//a/../b", "http://a/../b", "http:///a", "a", "a:80", "*", "/a%00b",
  "/a%", "/a%4", "/a%zz", "/a%0d%0a", "/a%7f", "/a%ff", "/a%c0%af", "/a#b",
  "/.", "/..", "/a/../b", "/a/%2e%2E/b", "/a/.%2e", "/a?x=%00", "/a?x=%", "/a?%zz=1", "/a?x=%ff", "/ä", "/a\u{1}b", "/a b",
  "/a\0b", "/a\tb",
]

@Suite(.tags(.timing), .ownThreads) struct TargetCases {
  @Test(arguments: accepted) func `a target is split before it is decoded`(target: String, expected: String) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 200)
      #expect(answer.body == expected)
    }
  }

  @Test(arguments: refused) func `an ambiguous target is rejected`(target: String) throws {
    try withServer { server in
      let client = try Client(server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 400)
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test func `the target star is valid only for OPTIONS`() throws {
    let seen: Handler = { request, _ in .now(Response(status: 200, text: "\(request.target) \(request.rawPath) \(request.path)"))
    }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "* * []")
    }
  }

  @Test func `the raw target is available beside the decoded one`() throws {
    let seen: Handler = { request, _ in .now(Response(status: 200, text: "\(request.target) \(request.rawPath)")) }
    try withServer(handler: seen) { server in
      let client = try Client(server.port)
      client.send("GET /a%2Fb?x=%20+ HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().body == "/a%2Fb?x=%20+ /a%2Fb")
    }
  }

  @Test func `a target beyond its limit is 414`() throws {
    var limits = Limits.patient
    limits.target = 100
    try withServer(limits) { server in
      let fits = try Client(server.port)
      fits.send("GET /\(String(repeating: "a", count: 99)) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try fits.receive().status == 200)
      let long = try Client(server.port)
      long.send("GET /\(String(repeating: "a", count: 100)) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try long.receive().status == 414)
    }
  }
}
