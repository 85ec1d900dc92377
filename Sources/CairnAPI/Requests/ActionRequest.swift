package import CairnCore

/// One action, or an array of them that is applied whole or not at all.
package struct ActionRequest: Hashable, Sendable {
  package var commands: [Command]
  package var isArray: Bool
  /// The first one that only the operator may post, counted from 0.
  package var operatorOnly: Int?

  /// Actions in one array at most.
  package static let limit = 1_000

  /// Reads a body. `byOperator`: who posts it; a `login` of the operator needs no state.
  package init(_ body: Value, byOperator: Bool) throws(BodyFault) {
    let elements: [Value]
    switch body {
    case .object:
      elements = [body]
      isArray = false
    case .array(let all):
      elements = all
      isArray = true
    default:
      throw .wrongShape("an action is an object such as {\"step\": …} or {\"type\": \"pop\"}, or an array of those; not \(body.kindName)")
    }
    guard !elements.isEmpty else { throw .invalid([.init(pointer: "", detail: "must hold at least one action")]) }
    guard elements.count <= Self.limit else {
      throw .invalid([.init(pointer: "", detail: "must hold at most \(Self.limit) actions, not \(elements.count)")])
    }
    commands = []
    var faults: [Refusal.Fault] = []
    for (index, element) in elements.enumerated() {
      let pointer = isArray ? "/\(index)" : ""
      guard case .object(let members) = element, members["step"] != nil || members["type"] != nil else {
        throw .wrongShape("\(isArray ? "the element \(index)" : "the body") is no action: it needs a member step or type")
      }
      var reader = ActionReader(members, at: pointer, byOperator: byOperator)
      let command = reader.command()
      faults += reader.faults
      if let command { commands.append(command) }
      if reader.isOperatorOnly, operatorOnly == nil { operatorOnly = index }
    }
    guard faults.isEmpty else { throw .invalid(faults) }
  }
}
