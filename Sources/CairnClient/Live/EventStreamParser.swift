import Foundation

/// Reads server-sent events out of bytes, however they are cut (HTML Standard, 9.2.6).
struct EventStreamParser {
  /// One event.
  struct Event: Hashable {
    /// `message` where the stream does not say.
    var type: String
    var data: String
  }

  /// Of the last event that was whole; nil: none had one. This is what `Last-Event-ID` takes.
  private(set) var lastID: String?
  /// The stream's `retry`: milliseconds to wait before opening it again.
  private(set) var retry: Int?
  /// Bytes of a line that has not ended.
  private var line: [UInt8] = []
  /// The last byte was a CR: an LF behind it belongs to it.
  private var isBehindReturn = false
  private var isAtStart = true
  private var type = ""
  private var data: String?
  private var id: String?

  /// `lastID` and `retry`: of the stream that this one goes on from.
  init(lastID: String? = nil, retry: Int? = nil) {
    self.lastID = lastID
    self.retry = retry
    id = lastID
  }

  /// Takes the next bytes; gives the events that they end.
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

  /// Bytes of the event that has not ended.
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

  /// A comment has an empty name; unknown names are passed over.
  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "event": type = value
    case "data": data = data.map { $0 + "\n" + value } ?? value
    case "id": if !value.unicodeScalars.contains("\0") { id = value }
    case "retry":
      // A number that does not fit is ignored, as any other value that is not a time.
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
