package import CairnCore

/// One action, or an array of actions that is applied as a whole or not at all.
package struct ActionRequest: Hashable, Sendable {
  package var commands: [Command]
  package var isArray: Bool
  /// The hash of the definition for which the actions were made; `nil` if no action names a definition.
  package var definition: String?

  /// The maximum number of actions in an array.
  package static let limit = 1_000

  /// Reads a body. Throws unless it contains valid actions. `byOperator` is whether an operator posts it; a `login` by an operator needs no `state`.
  package init(_ body: JSONElement, byOperator: Bool) throws(BodyFault) {
    isArray = body.isArray
    guard isArray || body.isObject else {
      throw .wrongShape(
        "an action must be an object such as {\"step\": …} or {\"type\": \"pop\"}, or an array of those, not \(body.value.kindName)")
    }
    var faults = Faults()
    var definition: String?
    guard isArray else {
      let command = try Self.read(body, at: nil, byOperator: byOperator, &definition, &faults)
      guard faults.isEmpty else { throw .invalid(faults) }
      commands = command.map { [$0] } ?? []
      self.definition = definition
      return
    }
    guard body.count > 0 else { throw .invalid([.init(pointer: "", detail: "the array must have at least one action")]) }
    guard body.count <= Self.limit else {
      throw .invalid([.init(pointer: "", detail: "the array must have at most \(Self.limit) actions, not \(body.count)")])
    }
    var index = 0
    commands = []
    commands.reserveCapacity(body.count)
    for element in body.elements {
      if let command = try Self.read(element, at: index, byOperator: byOperator, &definition, &faults) { commands.append(command) }
      index += 1
    }
    guard faults.isEmpty else { throw .invalid(faults) }
    self.definition = definition
  }

  /// Reads a body that is already a `Value`, such as a line of a scenario, with the same checks and errors as for a body in JSON.
  package init(_ body: Value, byOperator: Bool) throws(BodyFault) {
    self = try JSONBody.read(body) { element throws(BodyFault) in try ActionRequest(element, byOperator: byOperator) }
  }

  /// Reads one action. `index` is its index in the array; `nil` for a single action. If the action has faults, the result is `nil` or a placeholder.
  /// Throws if the element is not an action.
  private static func read(
    _ element: JSONElement, at index: Int?, byOperator: Bool, _ definition: inout String?, _ faults: inout Faults
  ) throws(BodyFault) -> Command? {
    var reader = ActionReader(element, byOperator: byOperator)
    guard reader.isAction else {
      throw .wrongShape("\(index.map { "the element \($0)" } ?? "the body") is not an action: it has no member `step` or `type`")
    }
    let command = reader.command()
    if let own = reader.definition {
      if let other = definition, own != other {
        faults.append(.init(pointer: "\(element.pointer)/definition", detail: "must be the same in all actions of a request"))
      }
      definition = own
    }
    faults.append(reader.faults)
    return command
  }
}
