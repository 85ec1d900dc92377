import CairnCore

extension MemberTable.Member {
  /// The member `to`, which every step that is sent may have together with `step` and `with`.
  static let to = MemberTable.Member("to", .text, "The recipient of the step: parent, current, root, all, or a flow's name.")
}

extension DefinitionReader {
  /// Reads `parent | current | root | all | FLOW`. Returns `nil` after reporting an error.
  func destination(_ element: Element, in scope: Surroundings) -> Operation.Destination? {
    guard let text = text(element, "to") else { return nil }
    let destination = Operation.Destination(rawValue: text)
    switch destination {
    case .root, .all: return destination
    case .parent, .current:
      // A link's step has no flow as its sender.
      guard scope.hasCaptures else { return destination }
      report("to of a link's step must be root, all or a flow's name, not \(text), because no flow sends it", at: element.position)
      return nil
    case .flow(let name):
      if names.isKnown(.flow, name) || names.unreadable.contains(.flow) { return destination }
      let known = KnownNames(names.known(.flow).sorted + Operation.Destination.words.map(\.rawValue))
      reportUnknown(.flow, name, at: element.position) {
        let meant = known.nearest(to: name).map { "did you mean \($0)?" }
        return "there is no flow \(name); \(meant ?? "to must be parent, current, root, all or a flow's name")"
      }
      return nil
    }
  }

  /// Reports a step to the parent that the root flow sends, because the root flow has no parent.
  func checkParent(_ template: StepTemplate, at position: Position) {
    if template.to == .parent { report("to must not be parent: the root flow, which sends the step, has no parent", at: position) }
  }

  /// Reads `end: STEP`. Reports a step to the current flow, because an ended flow handles no more steps. Returns `nil` after reporting an error.
  func end(_ value: Element, in scope: Surroundings) -> Operation? {
    checkCompat(.end, at: value.position)
    guard let template = step(value, in: scope, follows: true) else { return nil }
    if template.to == .current { report("a flow that has ended receives no steps; to must name another flow", at: value.position) }
    return .end(template)
  }
}
