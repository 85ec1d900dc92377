import CairnCore

/// A value that was written before.
struct RawJSON: JSONWritable, Sendable {
  let bytes: [UInt8]

  /// Writes the value. Throws for a number that JSON cannot represent, which no state has.
  init(_ value: some JSONWritable) throws(UnwritableNumber) {
    var writer = JSONWriter()
    value.write(to: &writer)
    bytes = try writer.bytes()
  }

  func write(to writer: inout JSONWriter) { writer.raw(bytes) }
}
