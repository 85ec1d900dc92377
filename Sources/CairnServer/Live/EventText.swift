import CairnCore

/// Server-sent events as bytes (WHATWG HTML, 9.2.5). Data is compact JSON, which holds no line break.
enum EventText {
  /// How many milliseconds a client shall wait before it comes again.
  static let retry = Array("retry: 2000\n\n".utf8)

  /// One event. Without an id the client's last one stays as it is.
  static func bytes(_ event: String, id: String?, _ data: some JSONWritable) -> [UInt8] {
    var writer = JSONWriter()
    data.write(to: &writer)
    // No state holds a number that JSON has not.
    return bytes(event, id: id, json: (try? writer.bytes()) ?? Array("null".utf8))
  }

  /// The same with data that is JSON already; a line break at its end is left out.
  static func bytes(_ event: String, id: String?, json: [UInt8]) -> [UInt8] {
    var text = Array("event: \(event)\n".utf8)
    text.reserveCapacity(text.count + json.count + 64)
    if let id { text += "id: \(id)\n".utf8 }
    text += "data: ".utf8
    text += json.last == UInt8(ascii: "\n") ? json.dropLast() : json[...]
    text += "\n\n".utf8
    return text
  }
}
