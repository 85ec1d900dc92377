import CairnCore

/// Reads the flows, and what tabs do when they are reselected or left by back.
struct FlowReader: PartReader {
  let context: ReaderContext

  /// Reads all flows, in the order of their names. The diagnostics are sorted by position afterwards.
  func flows() -> [String: FlowDefinition] {
    var flows: [String: FlowDefinition] = [:]
    for name in names.flows.keys.sorted() {
      guard let declared = names.flow(name) else { continue }
      flows[name] = flow(name, declared)
    }
    context.flow = nil
    return flows
  }

  private func flow(_ flowName: String, _ declared: DeclaredNames.Flow) -> FlowDefinition {
    let fields = declared.fields
    let handled = ["handle", "adapt"].flatMap { fields[$0]?.members ?? [] }.map(\.name)
    context.flow = CurrentFlow(name: flowName, container: declared.container, handled: Set(handled))
    checkMembers(flowName, declared)
    let (initialChildren, children) = containers.initialChildren(flowName, declared)
    if declared.container == .oneOf { context.flow?.children = children }
    let emits = fields["emits"].map { screens.contract($0) } ?? []
    return FlowDefinition(
      container: declared.container ?? .stack, params: declared.params ?? [:], facts: declared.facts, initialChildren: initialChildren,
      children: children ?? [],
      handle: handlers.handlers(fields["handle"]), adapt: handlers.adaptations(fields["adapt"]), tabs: manner(fields),
      gives: declared.hasGives ? declared.gives ?? [:] : nil, collapse: containers.collapse(fields, of: flowName), emits: emits,
      meta: fields["meta"]?.value)
  }

  /// Reports members that do not belong to the flow's container.
  private func checkMembers(_ name: String, _ declared: DeclaredNames.Flow) {
    guard let container = declared.container else { return }
    let only: [(String, Node.Kind)] =
      [("reselect", .tabs), ("back", .tabs), ("collapse", .split)] + MemberTable.ofScreen.map { ($0.name, .screen) }
    for (member, needed) in only where declared.fields[member] != nil && container != needed {
      report(
        "`\(member)` is allowed only in a flow with `\(needed.rawValue)`, but `\(name)` has `\(container.rawValue)`",
        at: declared.fields.position(of: member))
    }
  }

  /// Reads `reselect: popToRoot | none | STEP` and `back: none | first` of a flow with tabs.
  private func manner(_ fields: Fields) -> TabsManner {
    TabsManner(reselect: fields["reselect"].flatMap { reselect($0) } ?? .nothing, back: word(fields["back"], "`back`") ?? .nothing)
  }

  private func reselect(_ element: Element) -> TabsManner.Reselect? {
    switch element.text {
    case "none": .nothing
    case "popToRoot": .popToRoot
    default: steps.step(element, in: Surroundings("`reselect` has no params").inside(flow?.name)).map(TabsManner.Reselect.send)
    }
  }
}
