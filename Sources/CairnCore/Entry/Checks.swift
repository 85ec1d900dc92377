/// Checks of the names and ids in a client's action.
enum Checks {
  static func checkLiving(_ run: borrowing Run, _ node: NodeID, at pointer: String) throws(Refusal) {
    guard !run.state.stands(node) else { return }
    try checkIssued(run, node, at: pointer)
    throw Refusal(.dismissed, "\(node) no longer exists")
  }

  /// Whether other nodes cover the node that the user saw, according to the client. Throws `hidden` if a higher level covers the node, or
  /// if the definition has `covered: refuse`. With `isHeard`, the node's steps are handled although it is covered (`Listen.hidden`), so
  /// `covered: refuse` has no effect. `consequence` is the end of the refusal's message.
  static func isCovered(
    _ run: borrowing Run, _ record: NodeRecord, isHeard: Bool, so consequence: @autoclosure () -> String
  ) throws(Refusal) -> Bool {
    try Levels.checkLevel(run, record)
    guard run.state.isCovered(record.nodeID) else { return false }
    guard run.definition.covered == .refuse, !isHeard else { return true }
    throw Refusal(.hidden, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) is covered, so \(consequence())")
  }

  static func checkIssued(_ run: borrowing Run, _ id: NodeID, at pointer: String) throws(Refusal) {
    guard run.state.wasIssued(id) else {
      throw Refusal(
        .invalid, "\(id) has never been assigned", faults: [.init(pointer: pointer, detail: "must be the id of a node of this session")])
    }
  }

  /// Checks params and returns them with defaults filled in. Throws one refusal that lists all faults.
  static func check(
    _ params: [String: Value], against definitions: [String: ParameterDefinition], of what: String, at pointer: String
  ) throws(Refusal) -> [String: Value] {
    let (checked, faults) = ParameterDefinition.check(params, against: definitions)
    guard faults.isEmpty else {
      throw Refusal(.invalid, "the params are invalid for \(what)", faults: faults.map { Refusal.Fault($0, of: params, at: pointer) })
    }
    return checked
  }

  /// The faults of one value. If the value is a list, a fault may concern one of its items.
  static func faults(of value: Value, as type: ParameterDefinition, named name: String, at pointer: String) -> [Refusal.Fault] {
    ParameterDefinition.check([name: value], against: [name: type]).faults.map { Refusal.Fault($0, of: [name: value], at: pointer) }
  }
}

extension Refusal.Fault {
  /// Creates the fault of one of `values` or of an item of one of them. `pointer` is the JSON Pointer to the values.
  fileprivate init(_ fault: (name: String, fault: String), of values: [String: Value], at pointer: String) {
    // A name that ends with a bracket and is not among the values belongs to an item of a list, such as `tags[2]`.
    let isItem = fault.name.utf8.last == UInt8(ascii: "]") && !values.contains(exactly: fault.name)
    let place = isItem ? Self.itemPointer(fault.name) : fault.name.pointerEscaped
    self.init(pointer: "\(pointer)/\(place)", detail: fault.fault)
  }

  /// The path `tags/2` to the item `tags[2]`.
  private static func itemPointer(_ name: String) -> String {
    var pointer = ""
    for scalar in name.unicodeScalars where scalar != "]" { pointer.unicodeScalars.append(scalar == "[" ? "/" : scalar) }
    return pointer
  }
}
