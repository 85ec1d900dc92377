package import CairnCore

/// Encodes responses as JSON.
package enum JSONText {
  /// Returns UTF-8 JSON that ends with a newline, indented if `pretty` is set. Throws if the body contains a number that JSON cannot
  /// represent.
  package static func bytes(_ body: some JSONWritable, pretty: Bool = false) throws(UnwritableNumber) -> [UInt8] {
    let compact = try JSONWriter.bytes(expected: body.expectedSize) { writer in
      body.write(to: &writer)
      if !pretty { writer.endLine() }
    }
    return pretty ? indented(compact) : compact
  }

  /// Indents compact JSON. Each member and element gets its own line, and the text ends with a newline.
  private static func indented(_ compact: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(compact.count * 2)
    var depth = 0
    var isString = false
    var isEscaped = false
    func line() { text += [UInt8(ascii: "\n")] + Array(repeating: UInt8(ascii: " "), count: depth * 2) }
    for (index, byte) in compact.enumerated() {
      if isString {
        text.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        depth += 1
        // In ASCII, the code of a closing bracket is the code of its opening bracket plus 2. An empty object or array stays on one line.
        if compact[index + 1] != byte + 2 { line() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if compact[index - 1] != byte - 2 { line() }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        line()
      case UInt8(ascii: ":"): text += " : ".utf8
      default:
        isString = byte == UInt8(ascii: "\"")
        text.append(byte)
      }
    }
    return text + [UInt8(ascii: "\n")]
  }
}
