/// Reads JSON by the letter of RFC 8259: no member twice, not deeper than allowed.
package enum JSONDocument {
  /// Reads the one value of a text, and nothing behind it, and hands it to `body`. It is not to be kept: what it stands on goes then.
  package static func read<Result>(
    _ bytes: [UInt8], depthLimit: Int, valueLimit: Int = .max, _ body: (JSONElement) -> Result
  ) throws(JSONFault) -> Result {
    guard bytes.count < UInt32.max else { throw .malformed("it is too long", line: 1, column: 1) }
    let isASCII = bytes.isASCII
    guard isASCII || String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    let result = bytes.withUnsafeBufferPointer { text in
      // A kilobyte, as much as is taken from the stack; a usual body has a dozen of them.
      withUnsafeTemporaryAllocation(of: JSONToken.self, capacity: 64) { room in
        Swift.Result { () throws(JSONFault) in
          var reader = JSONReader(text, isASCII: isASCII, tokensIn: room, depthLimit: depthLimit, valueLimit: valueLimit)
          return try reader.readDocument(body)
        }
      }
    }
    return try result.get()
  }
}

extension [UInt8] {
  fileprivate var isASCII: Bool { withUnsafeBytes { UTF8.isASCII($0) } }
}

extension UTF8 {
  /// Whether all bytes are ASCII.
  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt64 = 0
    var index = 0
    while index + 8 <= bytes.count {
      all |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      all |= UInt64(bytes[index])
      index += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
