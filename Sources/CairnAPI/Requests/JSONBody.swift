package import CairnCore

/// Parses request bodies as JSON, within limits of nesting depth and of the number of values.
package enum JSONBody {
  /// The maximum nesting depth of objects and arrays. A state contains parts of bodies at a greater depth, and must remain readable.
  package static let depthLimit = 64

  /// The maximum number of values and member names in a body. It bounds the time and memory of reading a body.
  package static let valueLimit = 65_536

  /// Parses UTF-8 JSON (RFC 8259) with any type of value at the top level, and passes the value to `make`. Throws if the text is not JSON
  /// or exceeds a limit. Throws `BodyFault.invalid` if a member is given twice.
  package static func read<Result>(_ bytes: [UInt8], _ make: (JSONElement) throws(BodyFault) -> Result) throws(BodyFault) -> Result {
    guard !bytes.isEmpty else { throw .notJSON("the body is empty; it must be JSON") }
    return try JSONDocument.read(bytes, depthLimit: depthLimit, valueLimit: valueLimit, failure: { BodyFault($0) }, make)
  }

  /// Parses a body as a `Value`, with the same limits and errors.
  package static func read(_ bytes: [UInt8]) throws(BodyFault) -> Value { try read(bytes) { $0.value } }

  /// Reads a body that is already parsed, as in a scenario file. The body is first encoded as JSON, so that the same checks and errors apply.
  package static func read<Result>(_ body: Value, _ make: (JSONElement) throws(BodyFault) -> Result) throws(BodyFault) -> Result {
    guard let bytes = try? JSONText.bytes(body) else {
      throw .notJSON("the body contains a number that JSON cannot represent; use finite numbers")
    }
    return try read(bytes, make)
  }
}
