/// Parses JSON strictly according to RFC 8259. Rejects repeated member names and nesting beyond a limit.
package enum JSONDocument {
  /// Parses a text with exactly one value and passes the value to `body`. The value is valid only during the call. `isStored` means that
  /// `JSONWriter.stored` wrote the text: repeated names are not detected, and infinities are accepted. `failure` converts a parse error
  /// into the thrown error.
  package static func read<Result, Failure: Error>(
    _ bytes: [UInt8], depthLimit: Int, valueLimit: Int = .max, isStored: Bool = false, failure: (JSONFault) -> Failure,
    _ body: (JSONElement) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard bytes.count < UInt32.max else { throw failure(.malformed("the text is too long", line: 1, column: 1)) }
    let isASCII = bytes.isASCII
    guard isASCII || String(validating: bytes, as: UTF8.self) != nil else { throw failure(.notUTF8) }
    return try bytes.withUnsafeBufferPointer { text throws(Failure) in
      guard let start = text.baseAddress else { throw failure(.malformed("the text ends where a value is expected", line: 1, column: 1)) }
      // 64 tokens take a kilobyte, which is allocated on the stack. A usual body has a dozen tokens.
      return try withUnsafeTemporaryAllocation(of: JSONToken.self, capacity: 64) { room throws(Failure) in
        var reader = JSONReader(
          start, count: text.count, isASCII: isASCII, tokensIn: room, depthLimit: depthLimit, valueLimit: valueLimit, isStored: isStored)
        do throws(JSONFault) {
          try reader.readDocument()
        } catch {
          throw failure(error)
        }
        return try reader.withRoot(body)
      }
    }
  }

  /// Like the other `read`, with a `body` that does not throw.
  package static func read<Result>(
    _ bytes: [UInt8], depthLimit: Int, valueLimit: Int = .max, isStored: Bool = false, _ body: (JSONElement) -> Result
  ) throws(JSONFault) -> Result {
    try read(bytes, depthLimit: depthLimit, valueLimit: valueLimit, isStored: isStored, failure: { $0 }) { element throws(JSONFault) in
      body(element)
    }
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
