import CairnCore

/// The reason why a body was rejected. The associated texts are sent to the client.
package enum BodyFault: Error, Hashable, Sendable {
  /// The body is not UTF-8, or not JSON.
  case notJSON(String)
  /// The body is JSON of a shape that the endpoint does not accept.
  case wrongShape(String)
  /// The body has the right shape, but invalid members. Contains all faults, each with a JSON Pointer from the body's root.
  case invalid(Faults)
  /// The body contains too many values (status 413).
  case tooLarge(String)
}

extension Refusal.Fault {
  /// The place and the fault in one line, for messages outside of HTTP.
  package var text: String { pointer.isEmpty ? detail : "\(pointer): \(detail)" }
}

extension BodyFault {
  /// The reason in one line, for messages outside of HTTP.
  package var text: String {
    switch self {
    case .notJSON(let text), .wrongShape(let text), .tooLarge(let text): text
    case .invalid(let faults): faults.map(\.text).joined(separator: "; ")
    }
  }

  init(_ fault: JSONFault) {
    switch fault {
    case .notUTF8: self = .notJSON("the body must be JSON in UTF-8")
    case .malformed(let text, let line, let column): self = .notJSON("the body must be JSON: \(text), at line \(line), column \(column)")
    case .tooDeep(let limit): self = .notJSON("the values of the body must be nested at most \(limit) levels deep")
    case .tooMany(let limit): self = .tooLarge("the body must have at most \(limit) values and member names")
    case .repeated(let pointers, let count):
      var faults = Faults()
      for pointer in pointers { faults.append(.init(pointer: pointer, detail: "is given more than once; give it only once")) }
      faults.append(further: count - pointers.count)
      self = .invalid(faults)
    }
  }
}
