package import CairnCore

/// Reads the bytes of a request's body into an endpoint's value.
package enum JSONBody {
  /// Objects and arrays inside each other at most: what is kept of it has to be read again from deeper inside a state.
  package static let depthLimit = 64

  /// Values and names of members in all: what reading them takes is bounded with them.
  package static let valueLimit = 65_536

  /// Reads UTF-8 JSON (RFC 8259) of any kind at the top, and makes something of it. A member that is given twice is `invalid`.
  package static func read<Result>(_ bytes: [UInt8], _ make: (JSONElement) throws(BodyFault) -> Result) throws(BodyFault) -> Result {
    guard !bytes.isEmpty else { throw .notJSON("the body is empty; it must be JSON") }
    return try JSONDocument.read(bytes, depthLimit: depthLimit, valueLimit: valueLimit, failure: { BodyFault($0) }, make)
  }

  /// The body as it is.
  package static func read(_ bytes: [UInt8]) throws(BodyFault) -> Value { try read(bytes) { $0.value } }

  /// A body that is no text yet, as in a scenario file, goes the way of one that is.
  package static func read<Result>(_ body: Value, _ make: (JSONElement) throws(BodyFault) -> Result) throws(BodyFault) -> Result {
    guard let bytes = try? JSONText.bytes(body) else { throw .notJSON("JSON cannot represent a number of the body") }
    return try read(bytes, make)
  }
}
