import Foundation
import Testing

@testable import CairnClient

@Suite struct `Server-sent events` {
  private typealias Event = EventStreamParser.Event

  private func events(_ text: String) -> [Event] {
    var parser = EventStreamParser()
    return parser.read(Data(text.utf8))
  }

  @Test(arguments: [
    ("data: a\n\n", [Event(type: "message", data: "a")]),
    ("event: change\nid: 7\ndata: {}\n\n", [Event(type: "change", data: "{}")]),
    ("data: a\ndata: b\n\n", [Event(type: "message", data: "a\nb")]),
    ("data:a\n\ndata:  b\n\n", [Event(type: "message", data: "a"), Event(type: "message", data: " b")]),
    ("data\n\ndata\ndata\n\n", [Event(type: "message", data: ""), Event(type: "message", data: "\n")]),
    (": a comment\n\ndata: a\n\n", [Event(type: "message", data: "a")]),
    ("event: lost\n\ndata: a\n\n", [Event(type: "message", data: "a")]),
    ("unknown: x\ndata: a:b\n\n", [Event(type: "message", data: "a:b")]),
    ("\u{FEFF}data: a\n\n", [Event(type: "message", data: "a")]),
    ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["a", "b", "c"].map { Event(type: "message", data: $0) }),
    ("data: not ended\n", []),
  ])
  private func `lines are parsed as the HTML Standard specifies`(text: String, expected: [EventStreamParser.Event]) {
    #expect(events(text) == expected)
  }

  @Test func `the bytes may be split anywhere, also within a character or between CR and LF`() {
    let text =
      "\u{FEFF}retry: 2000\r\n\r\nid: 1\r\nevent: change\r\ndata: {\"a\":\"é漢🙂\"}\r\n\r\n: still there\n\nid: 2\ndata: b\rdata: c\r\r"
    let bytes = Data(text.utf8)
    let expected = [Event(type: "change", data: #"{"a":"é漢🙂"}"#), Event(type: "message", data: "b\nc")]
    for size in 1...bytes.count {
      var parser = EventStreamParser()
      let events = stride(from: 0, to: bytes.count, by: size).flatMap { parser.read(bytes[$0..<min($0 + size, bytes.count)]) }
      #expect(events == expected, "in pieces of \(size)")
      #expect(parser.lastID == "2" && parser.retry == 2_000)
    }
  }

  @Test func `an id takes effect when its event is complete, and remains until the next id`() {
    var parser = EventStreamParser(lastID: "3")
    #expect(parser.read(Data("id: 4\ndata: a\n".utf8)) == [] && parser.lastID == "3")
    #expect(parser.read(Data("\n".utf8)).count == 1 && parser.lastID == "4")
    #expect(parser.read(Data("data: b\n\nid: 5\u{0}\nid: six\u{0}\ndata: c\n\n".utf8)).count == 2 && parser.lastID == "4")
    #expect(parser.read(Data("id\n\n".utf8)) == [] && parser.lastID == "")
  }

  @Test func `a retry with other characters than digits is ignored`() {
    var parser = EventStreamParser()
    _ = parser.read(Data("retry: 10\nretry: 1s\nretry:\nretry: -5\n".utf8))
    #expect(parser.retry == 10)
  }

  @Test func `a retry that exceeds an integer is ignored`() {
    var parser = EventStreamParser()
    _ = parser.read(Data("retry: 10\nretry: 99999999999999999999\n".utf8))
    #expect(parser.retry == 10)
  }

  @Test func `the bytes of an incomplete event are counted`() {
    var parser = EventStreamParser()
    _ = parser.read(Data("data: é\nda".utf8))
    #expect(parser.waiting == 4)
    _ = parser.read(Data("ta: b\n\n".utf8))
    #expect(parser.waiting == 0)
  }

  @Test func `a resumed stream starts with the id and the retry of the previous one`() {
    var parser = EventStreamParser(lastID: "7", retry: 9)
    #expect(parser.read(Data("data: a\n\n".utf8)).count == 1 && parser.lastID == "7" && parser.retry == 9)
    #expect(parser.read(Data("\u{FEFF}data: b\n\n".utf8)) == [], "a byte order mark counts at the start only")
  }
}
