/// A JSON text that was read: by the letter of RFC 8259, no member twice, not deeper than allowed.
package struct JSONDocument: ~Copyable {
  private let text: UnsafeMutablePointer<UInt8>
  private let tokens: UnsafeMutablePointer<JSONToken>

  /// Reads the one value of the text, and nothing behind it.
  package static func reading(
    _ bytes: [UInt8], depthLimit: Int, valueLimit: Int = .max
  ) throws(JSONFault) -> JSONDocument {
    guard bytes.count < UInt32.max else { throw .malformed("it is too long", line: 1, column: 1) }
    guard bytes.isASCII || String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    let document = JSONDocument(bytes)
    var reader = JSONReader(
      text: document.text, count: bytes.count, tokens: document.tokens, depthLimit: depthLimit,
      valueLimit: valueLimit)
    try reader.readDocument()
    guard reader.hasRepeats else { return document }
    var repeats = JSONElement.Repeats()
    document.root.note(&repeats)
    throw .repeated(repeats.pointers, count: repeats.count)
  }

  private init(_ bytes: [UInt8]) {
    text = .allocate(capacity: bytes.count)
    // Each token begins at a byte of its own, so there are never more.
    tokens = .allocate(capacity: bytes.count)
    bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { text.update(from: start, count: $0.count) } }
  }

  deinit {
    text.deallocate()
    tokens.deallocate()
  }

  /// Lets the value be looked at. It is not to be kept: what it stands on goes with the document.
  package borrowing func read<Result, Failure>(_ body: (JSONElement) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(root)
  }

  private var root: JSONElement { JSONElement(text: text, tokens: tokens, index: 0) }
}

extension [UInt8] {
  fileprivate var isASCII: Bool {
    withUnsafeBytes { bytes in
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
}
