import Foundation

/// Parses server-sent events from bytes that may be split anywhere (HTML Standard, 9.2.6).
struct EventStreamParser {
  /// A complete event of the stream.
  struct Event: Hashable {
    /// The event's type; `message` if the stream does not name one.
    var type: String
    var data: String
  }

  /// The id of the last complete event, to be sent as `Last-Event-ID`; `nil` if no event had an id.
  private(set) var lastID: String?
  /// The stream's `retry`: the time to wait before the stream is opened again, in milliseconds; `nil` if none was sent.
  private(set) var retry: Int?
  /// The bytes of a line that is not complete.
  private var line: [UInt8] = []
  /// Whether the last byte was a CR. An LF after it belongs to the same line end.
  private var isBehindReturn = false
  private var isAtStart = true
  private var type = ""
  private var data: String?
  private var id: String?

  /// Creates a parser. `lastID` and `retry` are the values from the stream that the new stream continues.
  init(lastID: String? = nil, retry: Int? = nil) {
    self.lastID = lastID
    self.retry = retry
    id = lastID
  }

  /// Parses the next bytes and returns the events that they complete.
  mutating func read(_ bytes: Data) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      defer { isBehindReturn = byte == UInt8(ascii: "\r") }
      switch byte {
      case UInt8(ascii: "\n") where isBehindReturn: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = endLine() { events.append(event) }
      default: line.append(byte)
      }
    }
    return events
  }

  /// The number of bytes of the event that is not complete.
  var waiting: Int { line.count + (data?.utf8.count ?? 0) }

  private mutating func endLine() -> Event? {
    var bytes = line[...]
    line = []
    if isAtStart, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    isAtStart = false
    guard !bytes.isEmpty else { return dispatch() }
    let name = bytes.prefix { $0 != UInt8(ascii: ":") }
    var value = bytes.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    take(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    return nil
  }

  /// Processes a field. A comment has an empty name. Fields with unknown names are ignored.
  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "event": type = value
    case "data": data = data.map { $0 + "\n" + value } ?? value
    case "id": if !value.unicodeScalars.contains("\0") { id = value }
    case "retry":
      // A number that overflows is ignored, like any other invalid time.
      guard value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let time = Int(value) else { return }
      retry = time
    default: break
    }
  }

  private mutating func dispatch() -> Event? {
    defer {
      type = ""
      data = nil
    }
    lastID = id
    return data.map { Event(type: type.isEmpty ? "message" : type, data: $0) }
  }
}
