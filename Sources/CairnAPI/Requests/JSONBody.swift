package import CairnCore

/// Bytes of a request's body as a value.
package enum JSONBody {
  /// Objects and arrays inside each other at most: what is kept of it has to be read again from deeper inside a state.
  package static let depthLimit = 64

  /// Reads UTF-8 JSON (RFC 8259) of any kind at the top. A member that is given twice is `invalid`: readers disagree which one counts.
  package static func read(_ bytes: [UInt8]) throws(BodyFault) -> Value {
    guard !bytes.isEmpty else { throw .notJSON("the body is empty; it must be JSON") }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notJSON("the body must be JSON in UTF-8") }
    var reader = JSONReader(bytes, depthLimit: depthLimit)
    let value = try reader.document()
    guard reader.repeated.isEmpty else {
      throw .invalid(reader.repeated.map { Refusal.Fault(pointer: $0, detail: "is given twice; give it once") })
    }
    return value
  }
}
