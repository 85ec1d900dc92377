import CairnRuntime
import CairnTransfer
import Glibc
import Testing

@Suite struct `Hostile upstream` {
  private static let okay = "HTTP/1.1 200 OK\r\n"
  private static let chunk = String(repeating: "x", count: 16_384)
  private static let limits = TransferLimits(head: 64 << 10, body: 1 << 20, whole: .seconds(20))

  /// The responses of the server, and the expected end of the exchange.
  private static let cases: [(name: String, script: HostileServer.Script, fault: TransferFault?)] = [
    ("an endless body", .init(okay + "\r\n", chunk: chunk), .bodyTooLarge(1 << 20)),
    ("endless chunks", .init(okay + "Transfer-Encoding: chunked\r\n\r\n", chunk: "4000\r\n\(chunk)\r\n"), .bodyTooLarge(1 << 20)),
    ("2 GB announced", .init(okay + "Content-Length: 2147483648\r\n\r\n", chunk: chunk), .bodyTooLarge(1 << 20)),
    (
      "a gzip bomb", .init(Array("\(okay)Content-Encoding: gzip\r\n\r\n".utf8) + GzipBomb.parts.beginning, chunk: GzipBomb.parts.chunk),
      .bodyTooLarge(1 << 20)
    ),
    ("gzip within gzip", .init(okay + "Content-Encoding: gzip, gzip\r\n\r\n", chunk: chunk), .encoding),
    ("an encoding that needs much memory", .init(okay + "Content-Encoding: zstd\r\n\r\n", chunk: chunk), .encoding),
    ("no gzip in spite of its name", .init(okay + "Content-Encoding: gzip\r\n\r\n", chunk: chunk), .encoding),
    ("endless headers", .init(okay, chunk: "X-Header: \(String(repeating: "y", count: 500))\r\n"), .headTooLarge(64 << 10)),
    ("an endless header", .init(okay + "X-Header: ", chunk: chunk), .headTooLarge(64 << 10)),
    ("endless interim responses", .init("", chunk: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), .headTooLarge(64 << 10)),
    (
      "endless trailers", .init(okay + "Transfer-Encoding: chunked\r\n\r\n0\r\n", chunk: "X-Trailer: y\r\n"),
      .headTooLarge(64 << 10)
    ),
    ("garbage instead of HTTP", .init("\u{1}\u{2}SSH-2.0-OpenSSH\r\n\r\n", closes: true), .notHTTP),
    ("a body without a head", .init("{\"a\": 1}", closes: true), .notHTTP),
    ("nothing, and a close", .init("", closes: true), .broken(hasHead: false)),
    ("half a body", .init(okay + "Content-Length: 50\r\n\r\nhalf", closes: true), .broken(hasHead: true)),
    ("a redirect through dot segments", .init("HTTP/1.1 302 Found\r\nLocation: /a/../../../b\r\nContent-Length: 0\r\n\r\n"), nil),
    ("a redirect to nowhere", .init("HTTP/1.1 302 Found\r\nLocation: http://[::\u{7F}/\\\r\nContent-Length: 0\r\n\r\n"), nil),
  ]

  @Test(arguments: cases.indices) func `a response over a bound is cut off, whatever the server sends`(_ index: Int) throws {
    let (name, script, fault) = Self.cases[index]
    let server = try HostileServer(script)
    defer { withExtendedLifetime(server) {} }
    let whole = try Transfers().get(server.url, Self.limits)
    #expect(whole.fault == fault, "\(name)")
    #expect(whole.count <= Self.limits.body, "\(name)")
    if fault == nil { #expect(whole.head?.status == 302, "\(name)") }
  }

  @Test(arguments: [
    HostileServer.Script(""), HostileServer.Script(okay + "X-Drip: ", chunk: "y", pause: 20),
    HostileServer.Script(okay + "Content-Length: 1000\r\n\r\n", chunk: "x", pause: 20),
  ]) func `a missing or slow response ends at the timeout`(_ script: HostileServer.Script) throws {
    let server = try HostileServer(script)
    defer { withExtendedLifetime(server) {} }
    let began = Monotonic.now()
    let whole = try Transfers().get(server.url, TransferLimits(body: 1 << 20, whole: .milliseconds(300)))
    #expect(whole.fault == .timeout)
    #expect(Monotonic.now() - began >= 290_000_000)
  }

  @Test func `a silent connection ends after the maximum silence, and not before`() throws {
    let drip = try HostileServer(.init(Self.okay + "\r\n", chunk: "x", pause: 50))
    defer { withExtendedLifetime(drip) {} }
    let collected = Collected()
    let transfers = Transfers()
    let limits = TransferLimits(idle: .seconds(20))
    let transfer = transfers.begin(TransferRequest("GET", drip.url), limits) { collected.take($0) }
    let silent = try HostileServer(.init(Self.okay + "\r\nbegun"))
    defer { withExtendedLifetime(silent) {} }
    let whole = try transfers.get(silent.url, TransferLimits(idle: .milliseconds(200)))
    #expect(whole.fault == .timeout && whole.body == Array("begun".utf8))
    #expect(collected.ends == 0)
    transfer.cancel()
    #expect(try collected.whole().fault == .cancelled)
  }

  // Runs in its own process, so that the peak of memory belongs only to the exchanges.
  @Test func `sixteen simultaneous exchanges stay within the bound on memory`() async {
    await #expect(processExitsWith: .success) { try `Hostile upstream`().measure() }
  }

  /// Runs 16 exchanges of each kind, which may use 1 MiB each. Without bounds they used at least 412 MiB.
  private func measure() throws {
    let transfers = Transfers()
    let plain = try HostileServer(.init(Self.okay + "Content-Length: 0\r\n\r\n"))
    defer { withExtendedLifetime(plain) {} }
    _ = try transfers.get(plain.url)
    let before = try Self.peak()
    for (name, script, fault) in Self.cases {
      let server = try HostileServer(script)
      defer { withExtendedLifetime(server) {} }
      let all = (0..<16).map { _ in Collected(keeps: true) }
      for collected in all {
        _ = transfers.begin(TransferRequest("GET", server.url), Self.limits) { collected.take($0) }
      }
      for collected in all { try #require(collected.whole().fault == fault, "\(name)") }
    }
    let grown = try Self.peak() - before
    try #require(grown < 64 << 10, "the peak grew by \(grown) KiB")
  }

  /// The peak memory of the process, in KiB.
  private static func peak() throws -> Int {
    let file = try #require(fopen("/proc/self/status", "re"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmHWM:"), let number = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first {
        return try #require(Int(number))
      }
    }
    throw NoFigure()
  }
}

private struct NoFigure: Error {}
