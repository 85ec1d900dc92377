import Testing

/// Bytes that two readers could frame differently, and what must come of them.
struct Probe: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: String
  let status: Int
  var testDescription: String { name }

  init(_ name: String, _ status: Int, _ bytes: String) {
    self.name = name
    self.status = status
    self.bytes = bytes
  }
}
