import CairnCore
import CairnTesting
import Testing

/// Every kind of container, and modals on nodes and levels. Some nodes send a step on removal, start a load, or have a listener.
private let app = """
  app: fates
  language: 1
  compat: { covered: accept, emits: any, words: [listen] }
  root: { flow: main, start: begin }
  facts: { isNarrow: { type: boolean, default: false, by: client }, isOpen: { type: boolean, default: false, by: client } }
  screens: { home: {}, a: { params: { n: optional integer } }, b: {}, c: {}, lone: {} }
  steps: { begin: {}, push: { n: optional integer }, b: {}, c: {}, area: {}, pair: {}, solo: {}, mode: {}, modal: {}, over: {}, raise: {}, wait: {}, ring: {}, load: {}, next: {}, left: {}, lost: {}, got: {}, give: {}, tick: {}, follow: {}, asked: {} }
  links: [{ scheme: x, path: /follow, requires: { fact: isOpen }, holdFor: 20s, send: follow }]
  flows:
    main:
      tabs: [{ flow: one }, { flow: two }, c]
      handle: { begin: [], next: { select: 1 } }
    one:
      stack: home
      handle: &handle
        push: { push: a, with: { n: $n }, removed: left, guard: asked }
        b: { push: b, listen: { dismissed: true } }
        c: { push: c, content: { n: 1 }, timer: { every: 2s, send: tick, while: visible } }
        area: { push: { flow: area, then: got, else: lost, removed: left } }
        pair: { push: { flow: pair } }
        solo: { push: { flow: solo, listen: { dismissed: true } } }
        mode: { push: { flow: mode } }
        modal: { present: a, of: screen, style: alert }
        over: { present: { flow: area, else: lost }, replace: true }
        raise: { present: b, level: 2, queue: true }
        wait: { present: { flow: area }, level: 2, queue: true }
        ring: { timer: { every: 1s, send: tick }, of: flow }
        load: { load: { value: 1, delay: 3s, then: tick, else: lost } }
        tick: []
        left: []
        lost: { push: c }
        got: { push: b }
        asked: []
        follow: { push: c }
    two: { stack: { screen: a, with: { n: 9 } }, handle: *handle }
    area: { stack: b, gives: {}, handle: *handle }
    pair: { collapse: { fact: isNarrow }, split: { master: [b], detail: a }, handle: { push: { detail: a, with: { n: $n } }, b: { push: b } } }
    solo: { screen: lone, handle: { ring: { timer: { every: 1s, send: tick } }, tick: [] } }
    mode: { switch: [area, one], handle: { next: { set: one } } }
  """

/// A session that migrates to a definition in which its screens and flows have other fates.
private struct Fates {
  private let reducer: Reducer
  var drive: MigrationDrive
  var chance: Chance
  private var pasts: [MigrationDrive.Past] = []
  /// The number of migrations, and the first words of the reasons why the session did not move.
  private(set) var moves = 0
  private(set) var reasons: Set<String> = []

  init(seed: Int) throws {
    var definition = try MigrationDrive.definition(app)
    definition.flows["area"]?.handle["give"] = Handler(branches: [.init(operations: [.give([:])])])
    reducer = Reducer(definition)
    drive = try MigrationDrive(definition, creation: Creation(manualClock: true))
    chance = Chance(seed: UInt64(seed) &* 48_271 &+ 3)
  }

  mutating func act() {
    if chance.isHeads(oneIn: 4) { pasts = pasts.suffix(6) + [drive.past] }
    switch chance.below(30) {
    case 0: drive.run(.facts(["isNarrow": .bool(chance.isHeads(oneIn: 2)), "isOpen": .bool(chance.isHeads(oneIn: 4))]))
    case 1: drive.run(.select(.tab(chance.below(3)), node: nil))
    case 2: drive.run(.pop(count: 1, node: nil))
    case 3: drive.run(.dismiss(node: nil))
    case 4: drive.advance(chance.below(3_000))
    case 5: drive.run(.open(url: "x://follow"))
    case 6: if let listener = drive.state.listeners.last { drive.step(chance.pick(["push", "ring"]), from: listener.node) }
    case 7: drive.run(.present(.init("c"), style: .sheet, node: drive.id("pair"), replace: false))
    default:
      let steps = [
        "push", "b", "c", "area", "pair", "solo", "mode", "modal", "over", "raise", "wait", "ring", "load", "next", "give", "area", "pair",
      ]
      drive.step(chance.pick(steps), from: chance.isHeads(oneIn: 3) ? chance.pick(drive.state.nodes.keys.sorted()) : nil)
    }
  }

  mutating func move() {
    var migration = Migration(runsRules: chance.isHeads(oneIn: 2))
    for screen in ["home", "a", "b", "c", "lone"] where chance.isHeads(oneIn: 4) { migration.screens[screen] = fate() }
    for flow in ["one", "two", "area", "pair", "solo", "mode"] where chance.isHeads(oneIn: 6) { migration.flows[flow] = fate() }
    if chance.isHeads(oneIn: 12) { migration.flows["main"] = .replace(.flow("main"), with: [:]) }
    for step in ["left", "got", "lost", "asked"] where chance.isHeads(oneIn: 6) { migration.steps[step] = .remove }
    if chance.isHeads(oneIn: 4) { migration.values["isNarrow"] = .literal(.bool(chance.isHeads(oneIn: 2))) }
    let before = drive.past
    drive.migrate(to: reducer, by: migration)
    if let reason = drive.reason {
      reasons.insert(reason.split(separator: " ").prefix(2).joined(separator: " "))
    } else {
      moves += 1
      check(from: before, migration)
    }
  }

  private mutating func fate() -> Migration.NodeFate {
    switch chance.below(7) {
    case 0, 1: .remove
    case 2, 3: .popTo(screen: chance.pick(["home", "a", "b"]))
    case 4: .replace(.flow(chance.pick(["area", "pair", "solo", "mode"])), with: [:])
    default: .replace(.screen(chance.pick(["a", "b", "c"])), with: [:])
    }
  }

  /// The faults of the migrations: nodes that were wrongly kept or changed, steps that were sent, and effects that were wrongly cancelled.
  private(set) var wrong: [String] = []

  private mutating func check(from before: MigrationDrive.Past, _ migration: Migration) {
    for node in before.state.nodes.values {
      let own = node.isLeaf ? migration.screens[node.name] : nil
      if let fate = node.flow.flatMap({ migration.flows[$0] }) ?? own, drive.state.nodes[node.id] != nil {
        wrong.append("\(node.name) has the fate \(fate), and is there: \(before.tree.sketch) is \(drive.sketch)")
      }
      guard let after = drive.state.nodes[node.id] else { continue }
      if (after.name, after.flow, after.params, after.owner) != (node.name, node.flow, node.params, node.owner) {
        wrong.append("\(node.name) has changed")
      }
    }
    if drive.steps.contains(where: { $0.hasSuffix(" left") || $0.hasSuffix(" lost") || $0.hasSuffix(" got") }) {
      wrong.append("steps \(drive.steps)")
    }
    wrong += before.state.effects.filter { effect in
      effect.owner.map { drive.state.nodes[$0]?.parent != nil } ?? false && !effect.whileVisible && !drive.state.effects.contains(effect)
    }.map { "the effect \($0.id) was cancelled" }
  }

  mutating func undo() {
    guard !pasts.isEmpty else { return }
    drive.undo(to: chance.pick(pasts))
  }
}

@Suite struct `Migration of a large session` {
  @Test(arguments: 0..<40) func `its nodes go, are replaced or stay, and it goes on`(seed: Int) throws {
    var fates = try Fates(seed: seed)
    for _ in 0..<60 where fates.drive.state.nodes.count < 60 {
      fates.act()
      if fates.chance.isHeads(oneIn: 5) { fates.move() }
      if fates.chance.isHeads(oneIn: 8) { fates.undo() }
      if !fates.drive.broken.isEmpty || !fates.wrong.isEmpty { break }
    }
    #expect(fates.drive.broken == [] && fates.wrong == [], "\(fates.drive.broken) \(fates.wrong)")
  }
}
