import CairnCore
import CairnTesting
import Testing

private let app = """
  app: links
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts: { isOpen: { type: boolean, default: false, by: client }, isFar: { type: boolean, default: false, by: client } }
  screens: { home: {}, item: { params: { id: integer } }, far: {} }
  steps: { pick: { id: integer }, go: {} }
  linkDefaults: { scheme: x, requires: { fact: isOpen }, holdFor: 10s, holdAtMost: 3 }
  links:
    - { path: "/items/{id}", send: pick }
    - { path: /far, requires: { fact: isFar }, send: go }
  flows: { main: { stack: home, handle: { pick: { push: item, with: { id: $id } }, go: { push: far } } } }
  """

@Suite struct `Migration of held links` {
  private func drive(_ urls: String...) throws -> MigrationDrive {
    var drive = try MigrationDrive(app)
    for url in urls { drive.run(.open(url: "x://\(url)")) }
    return drive
  }

  private func moved(_ drive: MigrationDrive, _ new: String, _ migration: Migration = Migration()) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: new, migration)
    #expect(drive.reason == nil && drive.broken == [])
    return drive
  }

  @Test func `a link that still matches and waits is kept with its deadline`() throws {
    let drive = try drive("items/1", "far")
    let moved = try moved(drive, app.replacing("holdFor: 10s", with: "holdFor: 1s"))
    #expect(moved.state.pendingLinks == drive.state.pendingLinks && moved.state.pendingLinks.count == 2)
    #expect(moved.last.events == [] && moved.last.changes == [] && moved.state.nextLink == 3)
  }

  @Test func `a link that nothing matches is dropped`() throws {
    let moved = try moved(try drive("items/1", "far"), app.replacing("/items/", with: "/things/"))
    #expect(moved.state.pendingLinks.map(\.url) == ["x://far"])
    #expect(moved.last.events.map(\.type) == [.linkDropped] && moved.last.events.first?.link == LinkID(1))
    #expect(moved.last.events.first?.reason == "unknown-link")
  }

  @Test func `a link whose guard holds now is followed by the new steps`() throws {
    let new = app.replacing("pick", with: "take").replacing("requires: { fact: isOpen }", with: "requires: { not: { fact: isOpen } }")
    let moved = try moved(try drive("items/1", "far", "items/2"), new, Migration(steps: ["pick": .keep(as: "take", params: [:])]))
    #expect(moved.sketch == "main[home, item(id: 1), item(id: 2)]" && moved.steps == ["main take", "main take"])
    #expect(moved.state.pendingLinks.map(\.url) == ["x://far"] && moved.changes == ["push", "push"])
    #expect(moved.last.events.filter { $0.type == .linkResumed }.map(\.link) == [LinkID(1), LinkID(3)])
  }

  @Test func `a link is followed because of a migrated fact`() throws {
    let moved = try moved(try drive("items/1"), app, Migration(values: ["isOpen": .literal(true)]))
    #expect(moved.sketch == "main[home, item(id: 1)]" && moved.state.pendingLinks == [])
  }

  @Test func `the oldest links are dropped if the new definition holds fewer`() throws {
    let moved = try moved(try drive("items/1", "far", "items/2"), app.replacing("holdAtMost: 3", with: "holdAtMost: 1"))
    #expect(moved.state.pendingLinks.map(\.url) == ["x://items/2"])
    #expect(moved.last.events.map(\.link) == [LinkID(1), LinkID(2)] && moved.last.events.map(\.reason) == ["replaced", "replaced"])
  }
}

@Suite struct `Migration of posts` {
  private static let old = """
    app: posts
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { name: { type: string, default: Ada, by: client }, gone: { type: any, by: client } }
    screens: { home: {}, item: { params: { id: integer, note: optional string } }, ads: {}, extra: {} }
    steps: { pick: { id: integer, note: optional string }, drop: {}, stay: { a: optional any, b: optional any } }
    flows: { main: { tabs: [{ flow: area }, { flow: promo }] }, area: { stack: home }, promo: { stack: home } }
    """
  private static let new = """
    app: posts
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { title: { type: string, default: Ada, by: client } }
    screens: { home: {}, product: { params: { number: integer, tag: optional string } }, extra: {} }
    steps: { take: { number: integer, by: any }, stay: { a: optional any } }
    flows: { main: { tabs: [{ flow: zone }] }, zone: { stack: home } }
    """

  private let number: [String: Expression] = ["number": .reference(.param("id"))]

  private func mapped(_ action: Action) throws -> Action {
    let migration = Migration(
      screens: ["item": .keep(as: "product", params: number), "ads": .popTo(screen: "home")],
      flows: ["area": .keep(as: "zone", params: [:]), "promo": .remove],
      steps: ["pick": .keep(as: "take", params: number.merging(["by": .reference(.fact("title"))]) { $1 }), "drop": .remove],
      facts: ["name": .keep(as: "title"), "gone": .remove])
    let old = Reducer(try MigrationDrive.definition(Self.old))
    let new = Reducer(try MigrationDrive.definition(Self.new))
    let state = try new.create(Creation(), stamp: Stamp(time: 1, nonce: "a")).state
    let command = try Migrator(from: old, to: new, by: migration).mapped(.action(action), in: state, stamp: Stamp(time: 1, nonce: "b"))
    guard case .action(let action) = command else { throw MigrationObstacle("\(command)") }
    return action
  }

  private func obstacle(_ action: Action) -> String? {
    do {
      _ = try mapped(action)
      return nil
    } catch let error as MigrationObstacle {
      return error.reason
    } catch {
      return "\(error)"
    }
  }

  @Test func `a step has its new name and params`() throws {
    let node = NodeID(4)
    #expect(
      try mapped(.step(Step("pick", params: ["id": 1, "note": "x"]), from: node))
        == .step(Step("take", params: ["number": 1, "by": "Ada"]), from: node))
    #expect(try mapped(.step(Step("stay", params: ["a": 1, "b": 2]), from: nil)) == .step(Step("stay", params: ["a": 1]), from: nil))
    // Params and steps that the old definition does not have stay as they are, and the new definition refuses them.
    let strange = Action.step(Step("stay", params: ["c": 1]), from: nil)
    #expect(try mapped(strange) == strange)
    let unknown = Action.step(Step("unknown"), from: nil)
    #expect(try mapped(unknown) == unknown)
  }

  @Test func `a step, screen, flow or fact that is gone has no equivalent`() {
    #expect(obstacle(.step(Step("drop"), from: nil)) == "the step drop was removed")
    #expect(obstacle(.popTo(.screen("ads"))) == "the screen ads was removed")
    #expect(obstacle(.push(.init("ads"))) == "the screen ads was removed")
    #expect(obstacle(.set([.init("home"), .init("ads")])) == "the screen ads was removed")
    #expect(obstacle(.select(.flow("promo"), node: nil)) == "the flow promo was removed")
    #expect(obstacle(.facts(["gone": 1])) == "the fact gone was removed")
  }

  @Test func `routes, targets and facts have their new names`() throws {
    let (route, other) = (Action.Route("item", params: ["id": 1]), Action.Route("product", params: ["number": 1]))
    #expect(try mapped(.push(route)) == .push(other))
    #expect(
      try mapped(.present(route, style: .sheet, node: NodeID(2), replace: true))
        == .present(other, style: .sheet, node: NodeID(2), replace: true))
    #expect(try mapped(.set([.init("home"), route])) == .set([.init("home"), other]))
    #expect(try mapped(.popTo(.screen("item"))) == .popTo(.screen("product")))
    #expect(try mapped(.select(.flow("area"), node: nil)) == .select(.flow("zone"), node: nil))
    #expect(try mapped(.facts(["name": "Bob"])) == .facts(["title": "Bob"]))
    for action in [Action.back, .popToRoot, .popTo(.node(NodeID(3))), .select(.tab(1), node: nil), .open(url: "x://a"), .logout] {
      #expect(try mapped(action) == action)
    }
  }
}
