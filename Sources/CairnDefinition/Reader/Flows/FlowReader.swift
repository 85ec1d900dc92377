import CairnCore

/// Reads the flows, and the members `reselect` and `back` of flows with tabs.
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
    var flow = FlowDefinition(
      container: declared.container ?? .stack, params: declared.params ?? [:], facts: declared.facts, initialChildren: initialChildren,
      children: children ?? [],
      handle: handlers.handlers(fields["handle"]), adapt: handlers.adaptations(fields["adapt"]), tabs: manner(fields),
      gives: declared.hasGives ? declared.gives ?? [:] : nil, collapse: containers.collapse(fields, of: flowName), emits: emits,
      meta: fields["meta"]?.value)
    flow.idle = timers.idle(fields["idle"], in: Surroundings("`idle` cannot read params").inside(flowName))
    return flow
  }

  /// Reports tabs of which none can be selected when a session starts: all tabs have conditions, and no condition is true with the facts'
  /// defaults.
  func checkGates(in definition: Definition) {
    for (name, flow) in definition.flows.sortedByKey {
      guard case .tabs(let tabs) = flow.initialChildren, !tabs.isEmpty else { continue }
      let conditions = tabs.compactMap { flow.tabs.gate(of: $0.flow ?? $0.screen ?? "")?.requires }
      guard conditions.count == tabs.count, !conditions.contains(where: { mayHold($0, in: definition) }) else { continue }
      report(
        "no tab of `\(name)` can be selected at the start: every tab has a `requires` that is false then; leave one tab without `requires`",
        at: names.flow(name)?.fields.position(of: "tabs") ?? Position(line: 1, column: 1))
    }
  }

  /// Whether a condition may hold when a session begins. The time, and facts from the environment, may have any value.
  private func mayHold(_ condition: Guard, in definition: Definition) -> Bool {
    if condition.facts.contains(where: { definition.facts[$0]?.environment != nil }) || condition.readsTime { return true }
    var state = State()
    for (name, fact) in definition.facts { state.facts[name] = fact.type.defaultValue }
    return Reducer(definition).holds(condition, in: state)
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

  /// Reads `reselect: popToRoot | none | STEP` and `back` of a flow with tabs. The conditions of its tabs have already been read.
  private func manner(_ fields: Fields) -> TabsManner {
    TabsManner(
      reselect: fields["reselect"].flatMap { reselect($0) } ?? .nothing, back: word(fields["back"], "`back`") ?? .nothing,
      gates: (flow?.gates ?? []).sorted { $0.tab < $1.tab })
  }

  private func reselect(_ element: Element) -> TabsManner.Reselect? {
    switch element.text {
    case "none": .nothing
    case "popToRoot": .popToRoot
    default: steps.step(element, in: Surroundings("`reselect` cannot read params").inside(flow?.name)).map(TabsManner.Reselect.send)
    }
  }
}
