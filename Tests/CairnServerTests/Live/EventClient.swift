import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import Glibc

/// A client of an event stream on its own connection. Parses events as a browser does.
final class EventClient {
  struct Event: Equatable {
    var name = "message"
    var id: String?
    var data = ""

    var json: Value { (try? FoundationJSON.value(data)) ?? .null }
    /// The revision in the id of a session's event, or `nil` if the id has another form.
    var taggedRevision: Int? { id.flatMap { RevisionTag($0) }.flatMap { $0.mark == nil ? nil : $0.revision } }
    /// The member `reason` of the data.
    var reason: String? { if case .string(let text)? = json["reason"] { text } else { nil } }
    var revision: Int? { if case .integer(let number)? = json["revision"] { number } else { nil } }
  }

  /// The response without a body.
  let head: Reply
  private(set) var lastID: String?
  private(set) var retry: Int?
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  var status: Int { head.status }

  /// Sends the request, and blocks until the head of the response has been received.
  init(_ port: Int, _ target: String, headers: [(String, String)] = [], from address: String = "127.0.0.1") throws {
    descriptor = try Wire.open(port, from: address)
    var text = "GET \(target) HTTP/1.1\r\nHost: cairn\r\nAccept: text/event-stream\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    do {
      guard try Wire.put(descriptor, text + "\r\n") else { throw Wire.Failure.closedEarly }
      var found: [UInt8] = []
      while !found.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard try awaitBytes("the head of a stream", from: descriptor, into: &found, atMost: 1) else { throw Wire.Failure.closedEarly }
      }
      head = try Wire.parse(found)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The next event, or `nil` if the stream has ended. Throws after `TestTimeout` without any bytes.
  func next() throws -> Event? {
    while true {
      if let end = bytes.firstRange(of: Array("\n\n".utf8)) {
        let block = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        bytes.removeSubrange(..<end.upperBound)
        if let event = read(block) { return event }
        continue
      }
      guard !isAtEnd else { return nil }
      try receive()
    }
  }

  /// The next `count` events. Throws if the stream ends before.
  func next(_ count: Int) throws -> [Event] {
    try (0..<count).map { _ in
      guard let event = try next() else { throw NeverCame("an event before the end of the stream") }
      return event
    }
  }

  /// All events until the end of the stream.
  func rest() throws -> [Event] {
    var events: [Event] = []
    while let event = try next() { events.append(event) }
    return events
  }

  /// The complete response, if it is not a stream.
  func whole() throws -> Reply {
    var reply = head
    let length = Int(head.headers["content-length"] ?? "") ?? 0
    while bytes.count < length, !isAtEnd { try receive() }
    reply.text = String(decoding: bytes, as: UTF8.self)
    return reply
  }

  private func receive() throws {
    isAtEnd = try !awaitBytes("a byte of the stream", from: descriptor, into: &bytes)
  }

  /// Parses one block. Returns `nil` for a comment and for a block that dispatches no event.
  private func read(_ block: String) -> Event? {
    var event = Event()
    var hasData = false
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1]) : ""
      switch parts.first {
      case "event": event.name = value
      case "id":
        event.id = value
        lastID = value
      case "retry": retry = Int(value)
      case "data":
        event.data = hasData ? event.data + "\n" + value : value
        hasData = true
      default: break
      }
    }
    return hasData ? event : nil
  }
}
