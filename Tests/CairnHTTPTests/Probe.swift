import Testing

/// A message that two parsers could frame differently, and the expected status.
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
