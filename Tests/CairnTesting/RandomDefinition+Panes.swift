package import CairnCore

extension RandomDefinition {
  /// A random definition in the whole language with more splits. Some splits are created without columns, and the root may be a split. The step `t2` of a split
  /// starts a timer, either on the node that sends the step, which may be a pane, or on the flow.
  package static func panes(seed: UInt64) -> Definition {
    var definition = whole(seed: seed)
    var chance = Chance(seed: seed &* 193)
    for name in definition.flows.keys.sorted() {
      guard var flow = definition.flows[name] else { continue }
      if name == "flow0", chance.isHeads(oneIn: 2) {
        flow.container = .split
        flow.initialChildren = .empty
        flow.children = []
      }
      guard flow.container == .split else { continue }
      if chance.isHeads(oneIn: 3) { flow.initialChildren = .empty }
      flow.collapse = flow.collapse ?? (chance.isHeads(oneIn: 2) ? .fact("f0", .isTrue) : nil)
      let screen = Contribution(.screen(chance.pick(["s0", "s1", "s2"])))
      flow.handle["t0"] = Handler(branches: [.init(when: nil, operations: [.detail(screen)])])
      flow.handle["t1"] = Handler(branches: [.init(when: nil, operations: [.push(screen)])])
      let timer = Timer(name: "t", delay: 500 + chance.below(3_000), repeats: chance.isHeads(oneIn: 2), step: StepTemplate("t3"))
      flow.handle["t2"] = Handler(branches: [.init(when: nil, operations: [.after(timer, on: chance.pick([.screen, .flow]))])])
      definition.flows[name] = flow
    }
    return definition
  }
}

extension RandomAction {
  /// A random action of any kind. It is often a step from the master pane, or a change of the fact that determines the layout of splits.
  package static func panes(_ chance: inout Chance, for state: State) -> Action {
    let panes = state.nodes.values.filter { $0.kind == .stack && $0.flow == nil }
    switch chance.below(6) {
    case 0 where !panes.isEmpty: return .step(Step("t\(chance.below(6))"), from: chance.pick(panes).id)
    case 1: return .facts(["f0": .bool(chance.isHeads(oneIn: 2))])
    case 2: return .step(Step("t\(chance.below(3))"), from: nil)
    default: return whole(&chance, for: state)
    }
  }
}
