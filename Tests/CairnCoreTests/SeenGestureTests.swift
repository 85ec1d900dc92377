import CairnCore
import CairnTesting
import Testing

/// Two tabs with a stack each, a form over everything, and an office that pushes, presents, raises, selects and replaces.
private let app = """
  app: seen
  language: 1
  compat: { emits: any }
  root: { flow: top }
  screens: { list: {}, page: {}, form: {}, alarm: {}, urgent: {}, other: {} }
  steps: { opened: {}, asked: {}, alarmed: {}, raised: {}, replaced: {}, left: {} }
  flows:
    top:
      tabs: [{ flow: work }, { flow: more }]
      back: first
      reselect: popToRoot
      handle:
        alarmed: { present: alarm }
        raised: { present: urgent, level: 5 }
    work:
      stack: list
      handle:
        opened: { push: page }
        asked: { present: { flow: asking } }
        replaced: { replace: other }
        left: pop
    more: { stack: other }
    asking: { stack: form, handle: { opened: { push: page } } }
  """

private let gestures: [Gesture] = [
  .back, .pop(count: 1, node: nil), .pop(count: 2, node: nil), .popTo(.screen("list")), .popToRoot, .dismiss(node: nil),
  .select(.tab(0), node: nil), .select(.tab(1), node: nil), .select(.flow("more"), node: nil),
]

@Suite struct `A gesture and what the user saw` {
  private func drive(_ steps: String..., covered: Bool = false) throws -> Drive {
    var drive = try Drive(covered ? app.replacing("compat: {", with: "compat: { covered: accept,") : app)
    for step in steps { drive.step(step) }
    return drive
  }

  /// Runs a gesture from a node that the user saw. Returns the tree, or the code of the refusal.
  private func outcome(_ drive: Drive, _ gesture: Gesture, from: NodeID) -> String {
    var drive = drive
    let before = drive.sketch
    drive.run(.gesture(gesture, from: from))
    #expect(drive.broken == [])
    if drive.refusal != nil { #expect(drive.sketch == before) }
    return drive.refusal == nil ? drive.sketch : drive.outcome
  }

  @Test(arguments: gestures) func `that still see it do as without a node`(gesture: Gesture) throws {
    for steps in [["opened", "opened"], ["opened", "asked", "opened"], ["asked"], []] {
      var drive = try drive()
      for step in steps { drive.step(step) }
      var plain = drive
      plain.run(.gesture(gesture, from: nil))
      let seen = try #require(drive.state.visibleLeaf?.id)
      #expect(outcome(drive, gesture, from: seen) == (plain.refusal == nil ? plain.sketch : plain.outcome), "\(steps)")
    }
  }

  @Test(
    arguments: gestures,
    [
      ("alarmed", "hidden"), ("raised", "hidden"), ("opened", "hidden"), ("select", "hidden"), ("replaced", "dismissed"),
      ("left", "dismissed"),
    ])
  func `is refused when the office has changed what is visible`(gesture: Gesture, office: (step: String, code: String)) throws {
    var drive = try drive("opened")
    let seen = drive.id("page")
    if office.step == "select" { drive.run(.select(.tab(1), node: nil)) } else { drive.step(office.step) }
    #expect(drive.refusal == nil && drive.last.outcome == .performed)
    #expect(outcome(drive, gesture, from: seen) == office.code)
  }

  @Test func `a second back and a second dismissal of what one user saw go no further`() throws {
    var pages = try drive("opened", "opened")
    let top = pages.id("page")
    pages.run(.gesture(.back, from: top))
    #expect(pages.sketch == "top<*work[list, page], more[other]>")
    #expect(outcome(pages, .back, from: top) == "dismissed")
    var modals = try drive("alarmed", "raised")
    let urgent = modals.id("urgent")
    modals.run(.gesture(.dismiss(node: nil), from: urgent))
    #expect(modals.sketch == "top<*work[list], more[other]> ^ alarm")
    #expect(outcome(modals, .dismiss(node: nil), from: urgent) == "dismissed")
  }

  @Test func `a node in the gesture says what goes, if the user still sees what he saw`() throws {
    var drive = try drive("opened", "opened")
    let (top, below) = (drive.id("page"), try #require(drive.state.nodes.values.filter { $0.name == "page" }.map(\.id).min()))
    #expect(outcome(drive, .pop(count: 1, node: below), from: top) == "top<*work[list], more[other]>")
    #expect(outcome(drive, .popTo(.node(below)), from: top) == "top<*work[list, page], more[other]>")
    #expect(outcome(drive, .select(.tab(1), node: NodeID(1)), from: top) == "top<work[list, page, page], *more[other]>")
    drive.step("asked")
    #expect(outcome(drive, .dismiss(node: drive.id("asking")), from: drive.id("form")) == "top<*work[list, page, page], more[other]>")
    drive.step("alarmed")
    #expect(outcome(drive, .dismiss(node: drive.id("asking")), from: drive.id("form")) == "hidden")
    #expect(outcome(drive, .pop(count: 1, node: below), from: top) == "hidden")
  }

  @Test func `a tap on another tab counts if the user still sees the tabs, and takes nothing away from a tab that he has not seen`() throws
  {
    var drive = try drive("opened")
    let tabs = NodeID(1)
    #expect(outcome(drive, .select(.tab(0), node: nil), from: tabs) == "top<*work[list, page], more[other]>")
    #expect(outcome(drive, .select(.tab(0), node: nil), from: drive.id("page")) == "top<*work[list], more[other]>")
    drive.run(.select(.tab(1), node: nil))
    #expect(outcome(drive, .select(.tab(0), node: nil), from: tabs) == "top<*work[list, page], more[other]>")
    drive.step("alarmed")
    #expect(outcome(drive, .select(.tab(0), node: nil), from: tabs) == "hidden")
  }

  @Test func `a container that the user saw is as good as its screen`() throws {
    var drive = try drive("opened")
    #expect(outcome(drive, .back, from: drive.id("work")) == "top<*work[list], more[other]>")
    drive.step("alarmed")
    #expect(outcome(drive, .back, from: drive.id("work")) == "hidden")
  }

  @Test func `a node that was never given out is a mistake`() throws {
    var drive = try drive()
    drive.run(.gesture(.back, from: NodeID(99)))
    #expect(drive.outcome == "invalid" && drive.refusal?.faults.map(\.pointer) == ["/from"])
  }

  @Test func `with covered: accept it acts where the user was, but not under a level, nor for a node that is gone`() throws {
    var drive = try drive("opened", "alarmed", covered: true)
    let page = drive.id("page")
    #expect(outcome(drive, .back, from: page) == "top<*work[list], more[other]> ^ alarm")
    #expect(outcome(drive, .pop(count: 1, node: nil), from: page) == "top<*work[list], more[other]> ^ alarm")
    #expect(outcome(drive, .select(.tab(1), node: nil), from: page) == "top<work[list, page], *more[other]> ^ alarm")
    #expect(outcome(drive, .dismiss(node: nil), from: page) == "top<*work[list, page], more[other]> ^ alarm")
    var asking = try self.drive("asked", "opened", "alarmed", covered: true)
    #expect(outcome(asking, .popToRoot, from: asking.id("page")) == "top<*work[list] ^ asking[form], more[other]> ^ alarm")
    asking.step("raised")
    #expect(outcome(asking, .back, from: asking.id("page")) == "hidden")
    drive.run(.gesture(.back, from: page))
    #expect(outcome(drive, .back, from: page) == "dismissed")
  }

  @Test func `with covered: accept back takes what the user saw and all above it`() throws {
    var drive = try drive("opened", covered: true)
    let page = drive.id("page")
    drive.step("opened")
    #expect(outcome(drive, .back, from: page) == "top<*work[list], more[other]>")
    #expect(outcome(drive, .back, from: drive.id("list")) == "top<*work[list, page, page], more[other]>", "at the bottom")
  }

  @Test func `a replay of its entry leads to the same state`() throws {
    var drive = try drive("opened", "asked")
    drive.run(.gesture(.dismiss(node: drive.id("asking")), from: drive.id("form")))
    let page = drive.id("page")
    drive.run(.gesture(.back, from: page))
    #expect(try drive.replayed() == drive.state)
    #expect(drive.entries.last?.cause == .action(.gesture(.back, from: page)))
  }

  /// Whatever happens between the time the user sees a node and the arrival of the gesture, the gesture has its original effect or none.
  @Test(arguments: 0..<4) func `at random it either acts on what the user saw or is refused`(block: Int) throws {
    var (acted, refused) = (0, 0)
    for seed in (block * 100)..<(block * 100 + 100) {
      let definition = seed % 2 == 0 ? RandomDefinition.make(seed: UInt64(seed)) : RandomDefinition.raised(seed: UInt64(seed))
      guard definition.covered == .refuse, var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 31 &+ 7)
      for _ in 0..<40 where drive.state.nodes.count < 80 {
        guard let seen = drive.state.visibleLeaf?.id else {
          drive.run(RandomAction.make(&chance, for: drive.state))
          continue
        }
        for _ in 0..<chance.below(3) { drive.run(RandomAction.make(&chance, for: drive.state)) }
        let isSeen = drive.reducer.routes(of: drive.state).contains { $0.id == seen } && drive.state.visibleLeaf?.id == seen
        let before = drive.state
        var plain = drive
        let gesture = chance.pick(gestures)
        plain.run(.gesture(gesture, from: nil))
        drive.run(.gesture(gesture, from: seen))
        try #require(drive.broken == [], "seed \(seed)")
        if isSeen {
          acted += 1
          try #require(drive.state == plain.state && drive.outcome == plain.outcome, "seed \(seed): \(gesture) from \(seen)")
        } else if drive.refusal != nil {
          refused += 1
          try #require(drive.state == before && ["hidden", "dismissed"].contains(drive.outcome), "seed \(seed): \(drive.outcome)")
        }
      }
      #expect(try drive.replayed() == drive.state, "seed \(seed)")
    }
    #expect(acted > 400 && refused > 60, "\(acted) acted, \(refused) refused")
  }
}
