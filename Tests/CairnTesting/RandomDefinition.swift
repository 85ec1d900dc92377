package import CairnCore

/// Unusual definitions. They contain every operation in every kind of flow, and guards and rules that trigger each other.
package struct RandomDefinition {
  private var chance: Chance
  private let screens = ["s0", "s1", "s2"]
  private let steps = ["t0", "t1", "t2", "t3", "t4", "t5"]
  private let facts = ["f0", "f1"]
  private var flows: [String] = []
  /// The flow's level. A flow creates only flows with a higher level, so that the creation ends.
  private var level = 0

  /// Whether to add optional params, paths and tabs that refer to them, contracts, and operations on the flow's own node.
  private let isOdd: Bool

  package static func make(seed: UInt64, isOdd: Bool = false) -> Definition {
    var random = RandomDefinition(chance: Chance(seed: seed), isOdd: isOdd)
    return random.definition()
  }

  private init(chance: Chance, isOdd: Bool) {
    self.chance = chance
    self.isOdd = isOdd
  }

  private mutating func definition() -> Definition {
    flows = (0..<(2 + chance.below(5))).map { "flow\($0)" }
    var definitions: [String: FlowDefinition] = [:]
    for (index, name) in flows.enumerated() {
      level = index
      definitions[name] = flow()
    }
    level = 0
    return Definition(
      app: "random", root: Contribution(.flow("flow0"), start: [template()]),
      unhandled: chance.pick([.parent, .drop]), covered: chance.pick([.refuse, .accept]),
      facts: Dictionary(uniqueKeysWithValues: facts.map { ($0, FactDefinition(type: ParameterDefinition(.boolean, defaultValue: false))) }),
      screens: Dictionary(uniqueKeysWithValues: screens.map { ($0, screen()) }),
      steps: Dictionary(uniqueKeysWithValues: steps.map { ($0, StepDefinition(params: oddParams)) }),
      rules: (0..<chance.below(3)).map { _ in Rule(when: .fact(chance.pick(facts), .isTrue), step: template()) },
      flows: definitions,
      links: [
        LinkDefinition(
          schemes: ["x"], path: [.literal("go")],
          steps: chance.isHeads(oneIn: 2) ? [template(to: [.all])] : [template(), template()],
          requires: chance.isHeads(oneIn: 2) ? .fact("f0", .isTrue) : nil)
      ])
  }

  private mutating func template() -> StepTemplate {
    let step = chance.pick(steps)
    guard isOdd, chance.isHeads(oneIn: 3) else { return StepTemplate(step) }
    return StepTemplate(step, with: ["id": .literal(chance.pick([1, "a", .null, ["x": 1]]))])
  }

  private mutating func template(to destinations: [CairnCore.Operation.Destination]) -> StepTemplate {
    var step = template()
    step.to = destinations.count == 1 ? destinations[0] : chance.pick(destinations)
    return step
  }

  private var oddParams: [String: ParameterDefinition] { isOdd ? ["id": ParameterDefinition(.any, isOptional: true)] : [:] }

  private mutating func screen() -> ScreenDefinition {
    guard isOdd else { return ScreenDefinition() }
    return ScreenDefinition(params: oddParams, emits: chance.isHeads(oneIn: 3) ? [chance.pick(steps), chance.pick(steps)] : nil)
  }

  private mutating func flow() -> FlowDefinition {
    let later = Array(flows.dropFirst(level + 1))
    let container: Node.Kind =
      level == 0
      ? chance.pick([.stack, .tabs, .oneOf]) : chance.pick([.stack, .stack, .tabs, .split, .screen] + (isOdd ? [.oneOf, .screen] : []))
    let initialChildren: FlowDefinition.InitialChildren =
      switch container {
      case .screen: .root(Contribution(.screen(chance.pick(screens))))
      case .tabs where !later.isEmpty: .tabs(later.prefix(2).map { Contribution(.flow($0)) })
      case .split: .split(master: [contribution(later)], detail: contribution(later))
      case .stack where chance.isHeads(oneIn: 2): .root(contribution(later))
      default: .empty
      }
    var handle: [String: Handler] = [:]
    for step in steps where !chance.isHeads(oneIn: 3) {
      handle[step] = Handler(branches: (0...chance.below(2)).map { _ in branch(later) })
    }
    let adapt = chance.isHeads(oneIn: 3) ? [chance.pick(steps): [Adaptation(when: .fact("f1", .isTrue), to: template())]] : [:]
    return FlowDefinition(
      container: container, initialChildren: initialChildren, children: container == .oneOf ? later : [], handle: handle, adapt: adapt)
  }

  private mutating func branch(_ later: [String]) -> Handler.Branch {
    Handler.Branch(
      when: chance.isHeads(oneIn: 3) ? condition() : nil, operations: (0...chance.below(3)).map { _ in operation(later) })
  }

  private mutating func condition() -> Guard {
    if isOdd, chance.isHeads(oneIn: 4) {
      let conditions: [Guard] = [
        .param("id", .equals(.reference(.content(["count"])))), .visible(screens, with: ["id": .reference(.param("id"))]),
        .content(["count"], .present), .not(.param("id", .absent)),
      ]
      return chance.pick(conditions)
    }
    return plainCondition()
  }

  private mutating func plainCondition() -> Guard {
    switch chance.below(4) {
    case 0: .fact(chance.pick(facts), .isTrue)
    case 1: .visible([chance.pick(screens)], with: [:])
    case 2: .not(.fact(chance.pick(facts), .isTrue))
    default: .flow(chance.pick(flows))
    }
  }

  private mutating func contribution(_ later: [String]) -> Contribution {
    let isFlow = !later.isEmpty && chance.isHeads(oneIn: 3)
    return Contribution(
      isFlow ? .flow(chance.pick(later)) : .screen(chance.pick(screens)), start: isFlow ? [template()] : [],
      listen: Listen(hidden: chance.isHeads(oneIn: 3), dismissed: chance.isHeads(oneIn: 3)),
      load: chance.isHeads(oneIn: 4) ? load() : nil, after: chance.isHeads(oneIn: 5) ? [timer()] : [],
      steps: NodeSteps(removed: chance.isHeads(oneIn: 5) ? template() : nil))
  }

  private mutating func load() -> Load {
    Load(
      .value(.literal(["count": 0])), delay: chance.below(3_000), then: chance.isHeads(oneIn: 2) ? template() : nil,
      restart: chance.isHeads(oneIn: 2), whileVisible: chance.isHeads(oneIn: 3))
  }

  private mutating func timer() -> Timer {
    Timer(
      name: "t", delay: 500 + chance.below(5_000), repeats: chance.isHeads(oneIn: 2), step: template(),
      whileVisible: chance.isHeads(oneIn: 3))
  }

  /// A valid but unusual operation, for `isOdd`.
  private mutating func oddOperation(_ later: [String]) -> Operation {
    let id = Expression.reference(.param("id"))
    let screen = Contribution(
      .screen(chance.pick(screens)), with: ["id": chance.isHeads(oneIn: 2) ? id : .reference(.content(["count"]))],
      steps: NodeSteps(removed: chance.isHeads(oneIn: 3) ? template() : nil), content: .object(["count": .literal(0), "rows": id]))
    switch chance.below(10) {
    case 0: return .push(screen)
    case 1: return .replace(screen)
    case 2: return .set([screen])
    case 3: return .select(.index(id))
    case 4: return .select(.flow(.flow(chance.pick(flows))))
    case 5: return .content([ContentEdit(path: [.literal("rows"), id], change: .set(id))], of: chance.pick([nil, .screen("s0")]))
    case 6: return .content([ContentEdit(path: [.literal("count")], change: .add(.literal(1)))], of: .screen(chance.pick(screens)))
    case 7: return .show(flow: chance.pick(later.isEmpty ? flows : later), screen: screen)
    case 8: return .present(screen, style: chance.pick([.sheet, .alert]), on: .screen, replace: true)
    default: return .detail(screen)
    }
  }

  private mutating func operation(_ later: [String]) -> Operation {
    if isOdd, chance.isHeads(oneIn: 3) { return oddOperation(later) }
    return plainOperation(later)
  }

  private mutating func plainOperation(_ later: [String]) -> Operation {
    switch chance.below(27) {
    case 0, 1, 2: .push(contribution(later))
    case 3: .replace(contribution(later))
    case 4: .set([contribution(later), contribution(later)])
    case 5: .pop(count: 1 + chance.below(2))
    case 6: .popTo(.screen(chance.pick(screens)))
    case 7: .popToRoot
    case 8: .reveal(.screen(chance.pick(screens)))
    case 9, 10:
      .present(
        contribution(later), style: chance.pick([.sheet, .alert, .fullScreen]), on: chance.pick([.flow, .screen]),
        replace: chance.isHeads(oneIn: 2))
    case 11: .dismiss(nil)
    case 12: .tabs([contribution(later), contribution(later)])
    case 13: .split(master: [contribution(later)], detail: contribution(later))
    case 14: .detail(contribution(later))
    case 15: .select(.index(.literal(.integer(chance.below(3)))))
    case 16:
      later.isEmpty
        ? .none : .show(flow: chance.pick(later), screen: chance.isHeads(oneIn: 2) ? Contribution(.screen(chance.pick(screens))) : nil)
    case 17: .end(template())
    case 18: .forward(template(to: [.parent, .current]))
    case 19, 20: .write([chance.pick(facts): .literal(.bool(chance.isHeads(oneIn: 2)))])
    case 21: .clear([chance.pick(facts)])
    case 22: .content([ContentEdit(path: [.literal("count")], change: .add(.literal(1)))], of: nil)
    case 23: .load(load(), on: chance.pick([.flow, .screen]))
    case 24: .after(timer(), on: chance.pick([.flow, .screen]))
    case 25: .cancel(name: nil)
    default: .remove(.screen(chance.pick(screens)))
    }
  }
}

/// Random actions, both valid and invalid, and the actions of the service itself.
package struct RandomAction {
  /// Draws actions until one is not `push`, `present`, `set` or `remove`, which only operators may post.
  package static func client(_ draw: () -> Action) -> Action {
    while true {
      switch draw() {
      case .push, .present, .set, .remove: continue
      case let action: return action
      }
    }
  }

  package static func make(_ chance: inout Chance, for state: State, isOdd: Bool = false) -> Action {
    if isOdd, chance.isHeads(oneIn: 4) {
      let id: Value = chance.pick([0, 1, 5, "a", "\u{E9}", "e\u{301}", ["x": 1]])
      return .step(Step("t\(chance.below(6))", params: ["id": id]), from: nil)
    }
    let node = NodeID(1 + chance.below(state.nextNode + 1))
    let screen = "s\(chance.below(4))"
    switch chance.below(20) {
    case 0...6: return .step(Step("t\(chance.below(7))"), from: chance.isHeads(oneIn: 3) ? node : nil)
    case 7: return .pop(count: 1 + chance.below(3), node: chance.isHeads(oneIn: 2) ? node : nil)
    case 8: return chance.isHeads(oneIn: 2) ? .popToRoot : .popTo(.node(node))
    case 9: return .popTo(.screen(screen))
    case 10: return .dismiss(node: chance.isHeads(oneIn: 2) ? node : nil)
    case 11: return .select(.tab(chance.below(3)), node: chance.isHeads(oneIn: 3) ? node : nil)
    case 12: return .push(.init(screen))
    case 13: return .present(.init(screen), style: .sheet, node: chance.isHeads(oneIn: 3) ? node : nil, replace: chance.isHeads(oneIn: 2))
    case 14: return chance.isHeads(oneIn: 2) ? .remove(node: node) : .set([.init(screen), .init("s0")])
    case 15: return .facts(["f\(chance.below(3))": .bool(chance.isHeads(oneIn: 2))])
    case 16: return .open(url: chance.isHeads(oneIn: 3) ? "x://nowhere" : "x://go")
    case 17: return chance.isHeads(oneIn: 2) ? .token : .logout
    default:
      guard let effect = state.effects.first else { return .popToRoot }
      return .effect(id: effect.id, .due(tick: effect.ticks + 1))
    }
  }
}
