import CairnHTTP
import CairnTesting
import Testing

/// The position of the hostile request on its connection.
enum Moment: String, CaseIterable, Sendable { case first, second, behindAnother, behindABody, inPieces }

@Suite(.tags(.timing), .ownThreads) struct HostileClients {
  private static let fault: @Sendable (Fault, Request?) -> Response = { fault, _ in
    Response(status: fault.status, text: "{\"detail\":\"\(fault)\"}", type: "application/problem+json")
  }

  @Test(arguments: Hostile.all, Moment.allCases)
  func `a hostile request gets one problem, and its connection closes`(probe: Probe, moment: Moment) throws {
    try withServer(fault: Self.fault) { server in
      let client = try Client(server.port)
      var good = 0
      switch moment {
      case .first: client.send(probe.bytes + Hostile.smuggled)
      case .second:
        client.send("GET /good HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().status == 200)
        client.send(probe.bytes + Hostile.smuggled)
      case .behindAnother:
        good = 2
        client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n" + probe.bytes + Hostile.smuggled)
      case .behindABody:
        good = 2
        client.send(
          "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcPOST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\nhi\r\n0\r\n\r\n" + probe.bytes + Hostile.smuggled)
      case .inPieces:
        var rest = Array((probe.bytes + Hostile.smuggled).utf8)[...]
        // Long messages are sent in larger pieces, all others byte by byte.
        let size = rest.count > 2_000 ? 499 : 1
        while !rest.isEmpty {
          client.send(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
      }
      let all = try client.receiveToEnd()
      let answers = try #require(Answers.split(all), "not a list of whole answers: \(all.prefix(300))")
      #expect(answers.count == good + 1, "\(all.prefix(600))")
      #expect(answers.dropLast().allSatisfy { $0.status == 200 })
      let last = try #require(answers.last)
      #expect(last.status == probe.status, "\(last.head)\(last.body)")
      #expect(last["Connection"] == "close" && last["Content-Type"] == "application/problem+json" && last["Date"] != nil)
      #expect(!all.contains("smuggled"))
      let next = try Client(server.port)
      next.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try next.receive().body == "GET [\"next\"] [] ")
    }
  }
}

/// Parses the responses of a connection strictly.
enum Answers {
  /// The responses, or `nil` if the text is not a sequence of complete responses.
  static func split(_ text: String) -> [Received]? {
    var rest = Array(text.utf8)[...]
    var answers: [Received] = []
    while !rest.isEmpty {
      guard let end = endOfHead(rest) else { return nil }
      var answer = Received(head: String(decoding: rest[..<end], as: UTF8.self))
      let line = answer.head.prefix { $0 != "\r\n" }
      guard line.hasPrefix("HTTP/1.1 "), line.dropFirst(12).hasPrefix(" "), let status = Int(line.dropFirst(9).prefix(3)) else {
        return nil
      }
      answer.status = status
      let fields = answer.head.split(separator: "\r\n").dropFirst()
      guard fields.allSatisfy({ $0.contains(":") }), let length = Int(answer["Content-Length"] ?? "") else { return nil }
      guard rest.count - (end - rest.startIndex) >= length else { return nil }
      answer.body = String(decoding: rest[end..<end + length], as: UTF8.self)
      rest = rest[(end + length)...]
      answers.append(answer)
    }
    return answers
  }

  private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (bytes.startIndex...bytes.endIndex - 4).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }.map { $0 + 4 }
  }
}
