/// Checks of the names and ids in a client's action.
enum Checks {
  static func checkLiving(_ run: borrowing Run, _ node: NodeID, at pointer: String) throws(Refusal) {
    guard !run.state.stands(node) else { return }
    try checkIssued(run, node, at: pointer)
    throw Refusal(.dismissed, "\(node) no longer exists")
  }

  /// Whether other nodes cover a node that a client names as visible to the user. Throws `hidden` if clients cannot reach the covered node, because a
  /// higher level covers it or the definition refuses covered nodes. `isHeard` is whether the node may act although it is covered. `consequence` is
  /// the end of the refusal's message.
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
      let all = faults.map { fault in
        // Only the name of an item of a list, such as `tags[2]`, ends with a bracket and is not given.
        let isItem = fault.name.utf8.last == UInt8(ascii: "]") && !params.contains(exactly: fault.name)
        let place = isItem ? itemPointer(fault.name) : fault.name.pointerEscaped
        return Refusal.Fault(pointer: "\(pointer)/\(place)", detail: fault.fault)
      }
      throw Refusal(.invalid, "the params are invalid for \(what)", faults: all)
    }
    return checked
  }

  /// The path `tags/2` to the item `tags[2]`.
  private static func itemPointer(_ name: String) -> String {
    var pointer = ""
    for scalar in name.unicodeScalars where scalar != "]" { pointer.unicodeScalars.append(scalar == "[" ? "/" : scalar) }
    return pointer
  }
}
