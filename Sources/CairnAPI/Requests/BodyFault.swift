import CairnCore

/// Why a body was not taken. Its texts are for the client.
package enum BodyFault: Error, Hashable, Sendable {
  /// Not UTF-8, or not JSON.
  case notJSON(String)
  /// JSON, but of a shape that this endpoint cannot mean.
  case wrongShape(String)
  /// The right shape with wrong members; everything that is wrong, by JSON Pointer from the body's root.
  case invalid(Faults)
  /// The body holds more values than any use needs: 413.
  case tooLarge(String)
}

extension BodyFault {
  init(_ fault: JSONFault) {
    switch fault {
    case .notUTF8: self = .notJSON("the body must be JSON in UTF-8")
    case .malformed(let text, let line, let column): self = .notJSON("the body must be JSON: \(text), at line \(line), column \(column)")
    case .tooDeep(let limit): self = .notJSON("the body must not be nested deeper than \(limit)")
    case .tooMany(let limit): self = .tooLarge("the body must have at most \(limit) values and names of members")
    case .repeated(let pointers, let count):
      var faults = Faults()
      for pointer in pointers { faults.append(.init(pointer: pointer, detail: "is given twice; give it once")) }
      faults.append(further: count - pointers.count)
      self = .invalid(faults)
    }
  }
}
