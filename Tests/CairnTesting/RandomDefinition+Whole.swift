package import CairnCore

extension RandomDefinition {
  /// A random definition in the whole language, with steps to every kind of target. It has guarded nodes, levels, flows with params, facts, results and
  /// content, and splits that collapse. It also has facts of the client and of the app, requests, held links, links under a condition, notifications with
  /// handlers, and lists with bounds.
  package static func whole(seed: UInt64) -> Definition {
    var growth = Growth(raised(seed: seed), chance: Chance(seed: seed &* 97))
    return growth.grow()
  }
}

/// Extends a definition in the first version of the language to one in the whole language.
private struct Growth {
  private var definition: Definition
  private var chance: Chance
  private let flows: [String]
  private let steps = ["t0", "t1", "t2", "t3", "t4", "t5"]
  private let screens = ["s0", "s1", "s2"]

  init(_ definition: Definition, chance: Chance) {
    self.definition = definition
    self.chance = chance
    flows = definition.flows.keys.sorted()
  }

  mutating func grow() -> Definition {
    definition.facts["f0"]?.isClients = true
    definition.facts.merge(FactDefinition.ofApp) { _, own in own }
    for name in flows {
      definition.flows[name]?.gives = chance.isHeads(oneIn: 2) ? ["id": ParameterDefinition(.any, isOptional: true)] : nil
    }
    for name in flows where chance.isHeads(oneIn: 2) {
      definition.flows[name]?.facts = [
        "own": ParameterDefinition(.any, isOptional: true), "count": ParameterDefinition(.integer, defaultValue: .integer(chance.below(3))),
      ]
      if chance.isHeads(oneIn: 3) {
        definition.flows[name]?.facts["count"]?.bounds = ValueBounds(min: 0, max: .integer(2 + chance.below(2)))
      }
      if definition.flows[name]?.container != .screen {
        definition.flows[name]?.params = ["id": ParameterDefinition(.any, isOptional: true)]
      }
    }
    for name in flows { grow(flow: name) }
    definition.rules += [
      Rule(when: .fact(FactDefinition.appState, .equals(.literal("background"))), step: template()),
      Rule(when: .fact(FactDefinition.away, .over(.literal(.integer(chance.below(3_000))))), step: template()),
    ].prefix(chance.below(3))
    definition.unauthorized = chance.isHeads(oneIn: 2) ? template() : nil
    definition.hosts = ["api.example"]
    growLinks()
    growMessages()
    growTime()
    growChoices()
    growLists()
    return definition
  }

  /// Adds a link under a condition before another one with its pattern, and a step for URLs that no link matches.
  private mutating func growChoices() {
    if chance.isHeads(oneIn: 2) {
      var first = LinkDefinition(
        schemes: ["x"], path: [.literal("to"), .optional("id")], steps: [template(id: .reference(.param("id")))],
        requires: chance.isHeads(oneIn: 4) ? condition() : nil)
      first.when = condition()
      definition.links.insert(first, at: 0)
    }
    guard chance.isHeads(oneIn: 2) else { return }
    var step = StepTemplate(chance.pick(steps), with: ["id": .reference(.param(chance.pick(["url", "reason"])))])
    step.to = chance.pick([.root, .all, .flow(chance.pick(flows))])
    definition.unmatched = step
  }

  /// Adds a param of each step and a fact with a list, and operations that write such a list to the fact and to content.
  private mutating func growLists() {
    var item = ParameterDefinition(.integer)
    if chance.isHeads(oneIn: 2) { item.bounds = ValueBounds(min: 0, max: 7) }
    var items = ParameterDefinition(.list, isOptional: true)
    items.bounds = ValueBounds(maxLength: chance.isHeads(oneIn: 2) ? 2 : nil, item: item)
    for step in steps { definition.steps[step]?.params["items"] = items }
    definition.facts["list"] = FactDefinition(type: items, isClients: true)
    for name in flows {
      guard chance.isHeads(oneIn: 2), var handler = definition.flows[name]?.handle["t2"], !handler.branches.isEmpty else { continue }
      let list = Expression.reference(.param("items"))
      handler.branches[0].operations.append(
        chance.isHeads(oneIn: 2)
          ? .write(["list": list]) : .content([ContentEdit(path: [.literal("items")], change: .set(list))], of: .flow(name)))
      definition.flows[name]?.handle["t2"] = handler
    }
  }

  /// Adds timers that count the time without an action of a client, and rules and writes of a moment. The clock of a test starts near 0.
  private mutating func growTime() {
    for name in flows where chance.isHeads(oneIn: 4) {
      definition.flows[name]?.idle = [Timer(name: "", delay: 1_000 + chance.below(5_000), step: StepTemplate(chance.pick(steps)))]
    }
    guard chance.isHeads(oneIn: 2) else { return }
    definition.facts["opensAt"] = FactDefinition(type: ParameterDefinition(.any, isOptional: true))
    let passed = Guard.passed(.reference(.fact("opensAt")), before: chance.below(2_000))
    definition.rules.append(Rule(when: chance.isHeads(oneIn: 3) ? .all([passed, .fact("f0", .isTrue)]) : passed, step: template()))
    if chance.isHeads(oneIn: 3) {
      let (start, zone) = (chance.below(10_000), Value.string(chance.pick(["UTC", "Europe/Berlin"])))
      let times = Guard.between(start, start + 1 + chance.below(5_000), zone: .literal(zone))
      definition.rules.append(Rule(when: chance.isHeads(oneIn: 2) ? .not(times) : times, step: template()))
    }
    for name in flows {
      guard chance.isHeads(oneIn: 2), var handler = definition.flows[name]?.handle["t1"], !handler.branches.isEmpty else { continue }
      handler.branches[0].operations.append(.write(["opensAt": .literal(.integer(chance.below(20_000)))]))
      definition.flows[name]?.handle["t1"] = handler
    }
  }

  private mutating func growLinks() {
    definition.heldLinks = 1 + chance.below(3)
    definition.links = definition.links.map { link in
      var link = link
      link.steps = link.steps.map { sent($0) }
      return link
    }
    let link = { (path: [LinkDefinition.Segment], growth: inout Growth) in
      LinkDefinition(
        schemes: ["x"], path: path, steps: [growth.template(id: .reference(.param("id")))],
        requires: growth.chance.isHeads(oneIn: 3) ? nil : growth.condition(), hold: 500 + growth.chance.below(6_000),
        otherwise: growth.chance.isHeads(oneIn: 2) ? growth.template() : nil)
    }
    definition.links += [link([.literal("to"), .optional("id")], &self), link([.rest("id")], &self)]
  }

  private mutating func growMessages() {
    let hows: [NotificationDefinition.How] = [.tap, .foreground, .silent, .action("a"), .reply]
    definition.notifications.values = ["id": .init(["/id"])]
    definition.notifications.take = (0..<chance.below(4)).map { _ in
      .init(
        category: chance.pick([nil, "c"]), when: chance.isHeads(oneIn: 3) ? condition() : nil, how: [chance.pick(hows), chance.pick(hows)],
        chance.isHeads(oneIn: 4)
          ? .link(.template([.text("x://to/"), .reference(.param("id"))])) : .step(template(id: .reference(.param("id")))))
    }
    definition.notifications.suppress = [.init(how: [chance.pick(hows)], when: condition())]
  }

  private mutating func grow(flow name: String) {
    guard var flow = definition.flows[name] else { return }
    flow.initialChildren =
      switch flow.initialChildren {
      case .empty: .empty
      case .root(let root): .root(grown(root))
      case .tabs(let tabs): .tabs(tabs.map { grown($0) })
      case .split(let master, let detail): .split(master: master.map { grown($0) }, detail: grown(detail))
      }
    if flow.container == .tabs {
      flow.tabs = TabsManner(
        reselect: chance.pick([.nothing, .popToRoot, .send(template())]), back: chance.pick(TabsManner.Back.allCases),
        gates: gates(of: flow))
    }
    if flow.container == .split, chance.isHeads(oneIn: 2) { flow.collapse = .fact("f0", chance.pick([.isTrue, .equals(.literal(false))])) }
    if chance.isHeads(oneIn: 2) { flow.emits = [chance.pick(steps)] }
    for step in flow.handle.keys.sorted() {
      guard let handler = flow.handle[step] else { continue }
      flow.handle[step] = Handler(
        branches: handler.branches.map { branch in
          var operations = branch.operations.map { grown($0, in: name) }
          if chance.isHeads(oneIn: 2) { operations.append(operation(in: name)) }
          return Handler.Branch(when: chance.isHeads(oneIn: 4) ? condition() : branch.when, operations: operations)
        })
    }
    definition.flows[name] = flow
  }

  /// Gates of some tabs of a flow.
  private mutating func gates(of flow: FlowDefinition) -> [TabGate] {
    guard case .tabs(let tabs) = flow.initialChildren else { return [] }
    var gates: [TabGate] = []
    for tab in tabs where chance.isHeads(oneIn: 3) {
      let name = tab.flow ?? tab.screen ?? ""
      let gate = TabGate(name, requires: condition(), otherwise: chance.isHeads(oneIn: 4) ? nil : template())
      if !gates.contains(where: { $0.tab == name }) { gates.append(gate) }
    }
    return gates.sorted { $0.tab < $1.tab }
  }

  // Creates steps, conditions and nodes.

  private mutating func template(id: Expression? = nil) -> StepTemplate {
    sent(StepTemplate(chance.pick(steps), with: id.map { ["id": $0] } ?? [:]))
  }

  private mutating func sent(_ template: StepTemplate) -> StepTemplate {
    guard chance.isHeads(oneIn: 2) else { return template }
    var template = template
    template.to = chance.pick([.parent, .current, .root, .all, .flow(chance.pick(flows)), .flow(chance.pick(flows))])
    return template
  }

  private mutating func condition() -> Guard {
    switch chance.below(10) {
    case 7: .flowFact("own", .present)
    case 8: .flowFact("count", .over(.literal(1)))
    case 0: .screen([chance.pick(screens)], with: chance.isHeads(oneIn: 2) ? ["id": .reference(.param("id"))] : [:])
    case 1: .fact(FactDefinition.away, .under(.literal(2_000)))
    case 2: .fact(FactDefinition.appState, .among(["foreground", "inactive"]))
    case 3: .param("id", .over(.literal(0)))
    case 4: .content(["count"], .over(.literal(1)), of: place())
    case 5: .fact(FactDefinition.accessToken, chance.pick([.present, .absent]))
    case 6: .fact("f0", .isTrue)
    default: .not(.screen(screens, with: ["id": .reference(.screen(["id"]))]))
    }
  }

  private mutating func grown(_ contribution: Contribution) -> Contribution {
    var grown = contribution
    grown.steps.removed = grown.steps.removed.map { sent($0) }
    grown.load = grown.load.map { self.grown($0) }
    grown.after = grown.after.map { self.grown($0) }
    if chance.isHeads(oneIn: 5) { grown.steps.seen = template(id: .reference(.screen(["id"]))) }
    if chance.isHeads(oneIn: 8) { grown.steps.unseen = template() }
    if chance.isHeads(oneIn: 3) {
      grown.leave =
        chance.isHeads(oneIn: 3)
        ? .refuse
        : Leave(when: chance.isHeads(oneIn: 3) ? condition() : nil, ask: template(), asksBeforeTabs: chance.isHeads(oneIn: 4))
    }
    guard let flow = grown.flow else { return grown }
    if definition.flows[flow]?.params.isEmpty == false, chance.isHeads(oneIn: 2) { grown.with = ["id": .reference(.param("id"))] }
    if chance.isHeads(oneIn: 2) { grown.content = .object(["count": .literal(.integer(chance.below(3)))]) }
    if definition.flows[flow]?.gives != nil, !chance.isHeads(oneIn: 4) {
      grown.then = chance.isHeads(oneIn: 5) ? nil : template(id: .reference(.result(["id"])))
      grown.otherwise = chance.isHeads(oneIn: 3) ? nil : template()
    }
    return grown
  }

  private mutating func grown(_ timer: Timer) -> Timer {
    var timer = timer
    timer.step = sent(timer.step)
    timer.covered = chance.pick([nil, nil, .wait, .fire, .drop])
    timer.startsSeen = chance.isHeads(oneIn: 6)
    timer.restarts = timer.delay % 3 == 0
    if !timer.repeats, chance.isHeads(oneIn: 6) {
      (timer.isMoment, timer.isDaily) = (true, true)
      timer.value = .literal("UTC")
    } else if !timer.repeats, timer.delay % 2 == 0 {
      timer.isMoment = timer.delay % 4 == 0
      timer.value = .literal(.integer(timer.isMoment ? timer.delay * 5 : timer.delay / 100))
      timer.delay = 100
    }
    return timer
  }

  private mutating func grown(_ load: Load) -> Load {
    guard chance.isHeads(oneIn: 2) else { return load }
    var grown = load
    let method = chance.pick(HTTPMethod.allCases)
    let polls = method == .get && chance.isHeads(oneIn: 2)
    grown.source = .request(
      LoadRequest(
        method, .template([.text("https://api.example/"), .reference(.param("id"))]), bearer: chance.isHeads(oneIn: 2),
        body: method.takesBody ? .object(["id": .reference(.param("id"))]) : nil,
        headers: chance.isHeads(oneIn: 3) ? ["X-A": .reference(.fact("f0"))] : [:],
        timeout: chance.isHeads(oneIn: 2) ? 1_000 + chance.below(5_000) : nil, retry: polls ? nil : Retry(count: 2, backoff: 500),
        polling: polls
          ? Polling(
            every: 1_000, until: chance.isHeads(oneIn: 3) ? nil : .any([.result(["count"], .over(.literal(1))), .fact("f1", .isTrue)]))
          : nil))
    grown.then = chance.isHeads(oneIn: 2) ? template(id: .reference(.result(["count"]))) : nil
    grown.otherwise = chance.isHeads(oneIn: 2) ? template(id: .reference(.error("status"))) : nil
    return grown
  }

  // Creates operations.

  private mutating func grown(_ operation: CairnCore.Operation, in flow: String) -> CairnCore.Operation {
    switch operation {
    case .push(let node): .push(grown(node))
    case .replace(let node): .replace(grown(node))
    case .set(let nodes, _): .set(nodes.map { grown($0) }, keep: chance.isHeads(oneIn: 2))
    case .present(let node, let style, let anchor, let replace, let level):
      .present(grown(node), style: style, on: anchor, replace: replace, level: level)
    case .tabs(let nodes): .tabs(nodes.map { grown($0) })
    case .split(let master, let detail):
      .split(master: master.map { grown($0) }, detail: chance.isHeads(oneIn: 3) ? nil : detail.map { grown($0) })
    case .detail(let node): .detail(grown(node))
    case .show(let child, let screen): .show(flow: child, screen: screen.map { grown($0) })
    case .end(let step): .end(sent(step))
    case .forward(let step): .forward(sent(step))
    case .load(let load, let anchor, _):
      .load(grown(load), on: anchor, of: chance.pick([nil, nil, .screen("s0"), .flow(chance.pick(flows))]))
    case .after(let timer, let anchor): .after(grown(timer), on: anchor)
    case .content(let edits, _) where chance.isHeads(oneIn: 3): .content(edits, of: .flow(chance.pick(flows)))
    case .reveal where chance.isHeads(oneIn: 2): .reveal(place())
    case .popTo: chance.isHeads(oneIn: 2) ? .bring(place()) : .popTo(place())
    case .remove: .remove(place(), all: chance.isHeads(oneIn: 3))
    default: operation
    }
  }

  private mutating func place() -> Place {
    let with = chance.isHeads(oneIn: 3) ? ["id": Expression.reference(.param("id"))] : [:]
    return chance.isHeads(oneIn: 3) ? .flow(chance.pick(flows), with: with) : .screen(chance.pick(screens), with: with)
  }

  private mutating func operation(in flow: String) -> CairnCore.Operation {
    switch chance.below(16) {
    case 10: return .write(["own": chance.pick([.reference(.param("id")), .reference(.flow(["id"]))])])
    case 11:
      return .write([
        "count": chance.pick([
          .literal(2), .reference(.param("id")), .reference(.flowFact("own")),
          .calculation(chance.pick([.sum, .difference]), [.reference(.flowFact("count")), .literal(1)]),
        ])
      ])
    case 12: return .clear(["own"])
    case 0, 1, 2, 3:
      guard definition.flows[flow]?.gives != nil else { return .none }
      return .give(chance.pick([["id": .reference(.param("id"))], ["id": .literal(1)], [:]]))
    case 4: return .logout
    case 5: return .cancelLinks
    case 6: return .reveal(place())
    case 7: return chance.isHeads(oneIn: 2) ? .dismiss(place()) : .remove(place())
    case 8:
      let value = chance.pick([Reference.screen(["id"]), .flowFact("own"), .flow(["id"])])
      return .forward(sent(StepTemplate(chance.pick(steps), with: ["id": .reference(value)])))
    case 13: return .proceed
    case 14:
      var node = grown(Contribution(.screen(chance.pick(screens))))
      (node.leave, node.listen, node.start, node.then, node.otherwise) = (nil, Listen(), [], nil, nil)
      return .overlay(
        node,
        .init(
          slot: chance.pick(["top", "bottom"]), queue: chance.isHeads(oneIn: 2), replace: chance.isHeads(oneIn: 4),
          time: chance.isHeads(oneIn: 2) ? 500 + chance.below(3_000) : nil))
    case 9:
      let rows = Expression.calculation(.count, [.reference(.content(["rows"], of: place()))])
      let path: [Expression] = chance.pick([[.literal("count")], [.literal("rows"), .reference(.screen(["id"]))]])
      let change: ContentEdit.Write = chance.pick([.add(.literal(1)), .remove, .set(rows), .add(rows)])
      return .content([ContentEdit(path: path, change: change)], of: .flow(flow))
    default: return .none
    }
  }
}
