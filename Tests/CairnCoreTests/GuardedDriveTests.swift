import CairnCore
import CairnTesting
import Testing

/// Tabs, a stack in a stack, and modals over modals. Some nodes are guarded by a step, some cannot be dismissed, and some have no guard.
private let app = """
  app: guarded
  language: 1
  compat: { emits: any, words: [end] }
  root: { flow: top }
  screens: { home: {}, page: { params: { n: integer } }, wall: {}, note: {}, quiet: {} }
  steps:
    { push: { n: integer }, wall: {}, open: {}, sheet: {}, focus: { n: integer }, area: {}, asked: {}, tapped: {}, close: {}, closed: {}, up: {} }
  flows:
    top:
      tabs: [{ flow: first }, { flow: second }, home]
      back: first
      reselect: popToRoot
      handle: { up: { reveal: { flow: first } }, closed: [] }
    first:
      stack: home
      handle: &handle
        push: { push: page, with: { n: $n }, guard: asked }
        wall: { push: wall, guard: true }
        open: { present: { flow: area, guard: asked }, of: screen }
        sheet: { present: quiet, of: screen }
        focus: { set: [home, { screen: page, with: { n: $n } }], keep: true }
        area: { push: { flow: area } }
        asked: [{ when: { flow: area }, do: { content: { asked: 1 }, of: home } }, { do: { present: note, style: alert } }]
        close: dismiss
        closed: pop
    second: { stack: home, handle: *handle }
    area: { tabs: [{ flow: inner }, quiet], reselect: tapped, handle: { tapped: { select: 1 }, close: { end: closed } } }
    inner: { stack: { screen: wall, guard: asked }, handle: *handle }
  """

@Suite struct `Random gestures on guarded nodes` {
  private func action(_ chance: inout Chance) -> Action {
    let n = Value.integer(chance.below(2))
    return switch chance.below(20) {
    case 0: .step(Step("push", params: ["n": n]), from: nil)
    case 1: .step(Step("wall"), from: nil)
    case 2, 3: .step(Step("open"), from: nil)
    case 4: .step(Step("sheet"), from: nil)
    case 5: .step(Step("focus", params: ["n": n]), from: nil)
    case 6: .step(Step("area"), from: nil)
    case 7: .step(Step("close"), from: nil)
    case 8: .step(Step("up"), from: nil)
    case 9, 10: .select(.tab(chance.below(3)), node: nil)
    case 11: .popToRoot
    case 12: .pop(count: 1 + chance.below(3), node: nil)
    case 13, 14: .dismiss(node: nil)
    case 15: .popTo(.screen(chance.pick(["home", "page"])))
    case 16: .present(.init("quiet"), style: .sheet, node: nil, replace: true)
    case 17: .set([.init("quiet"), .init("wall")])
    default: .back
    }
  }

  /// The gestures that `accepts` wrongly lists, omits, marks as guarded, or does not mark as guarded.
  private func falseGuards(_ drive: Drive) -> [String] {
    let accepts = drive.reducer.accepts(drive.state)
    let gestures: [(String, Action)] = [
      ("pop", .pop(count: 1, node: nil)), ("popToRoot", .popToRoot), ("dismiss", .dismiss(node: nil)), ("back", .back),
    ]
    return gestures.compactMap { name, action in
      let (isGuarded, isMade): (Bool, Bool) =
        switch drive.preview(action) {
        case .success(let transition): (transition.reason == "guarded", transition.outcome != .unchanged || transition.reason == "guarded")
        case .failure: (true, true)
        }
      if accepts.primitives.contains(name) != isMade { return "\(name) is \(isMade ? "not " : "")listed" }
      return accepts.guarded.contains(name) == isGuarded ? nil : "\(name): guarded \(accepts.guarded)"
    }
  }

  @Test(arguments: 0..<24) func `invariants hold, and a replay gives the same state`(seed: Int) throws {
    var chance = Chance(seed: UInt64(seed) &* 6_364_136_223 &+ 11)
    var drive = try Drive(app)
    for _ in 0..<80 where drive.state.nodes.count < 200 {
      drive.run(action(&chance))
      #expect(falseGuards(drive) == [], "\(drive.sketch)")
    }
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }
}
