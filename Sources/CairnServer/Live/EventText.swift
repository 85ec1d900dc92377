import CairnCore

/// Encodes server-sent events (WHATWG HTML, 9.2.5). The data is compact JSON, which contains no line break.
enum EventText {
  /// An instruction to the client to wait 2000 ms before it reconnects.
  static let retry = Array("retry: 2000\n\n".utf8)

  /// Encodes one event. If `id` is `nil`, the client keeps the id of the previous event.
  static func bytes(_ event: String, id: String?, _ data: some JSONWritable) -> [UInt8] {
    var writer = JSONWriter()
    data.write(to: &writer)
    // Encoding cannot fail, because a state contains no number that JSON cannot represent.
    return bytes(event, id: id, json: (try? writer.bytes()) ?? Array("null".utf8))
  }

  /// Encodes one event whose data is already JSON. Drops a line break at the end of the data.
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
