import CairnCore
import CairnTesting
import Testing

/// Three tabs, two with the same flow and one with a modal flow over it. `to` is tested from each place that can send a step.
private let office = """
  app: office
  language: 1
  compat: { emits: any, words: [end] }
  root: { flow: top, start: { step: started, to: first } }
  facts: { isLate: { type: boolean, default: false }, count: { type: integer, default: 0 } }
  screens: { desk: {}, page: {}, sheet: {}, note: { emits: [] } }
  steps: { started: {}, call: {}, ring: {}, open: {}, over: {}, late: {}, tell: {}, wait: {}, ask: {}, close: {} }
  rules: [ { when: { fact: isLate }, send: late, to: second } ]
  flows:
    top:
      tabs: [ { flow: first }, { flow: second }, { flow: second } ]
      handle:
        ring: []
        over: []
        late: []
    first:
      stack: desk
      handle:
        started: { push: page }
        call: [ { send: ring, to: second }, { send: ring, to: root }, { send: tell } ]
        tell: { push: note }
        open: { present: { flow: asking } }
        wait: { timer: { after: 5s, send: ring, to: second } }
        ask: { load: { value: 1, delay: 1s, then: { step: ring, to: second }, else: { step: ring, to: asking } } }
        close: { send: close, to: asking }
    second: { stack: desk, handle: { ring: { push: page }, late: { push: note }, call: { send: ring, to: second } } }
    asking:
      stack: { screen: sheet, removed: { step: ring, to: second } }
      handle:
        over: { end: { step: ring, to: first } }
        ring: { push: sheet }
        late: { send: ring, to: all }
        close: { write: { isLate: true } }
  links:
    - { scheme: x, path: "/ring", send: ring, to: second }
    - { scheme: x, path: "/ask", send: ring, to: asking }
    - { scheme: x, path: "/both", send: [ { step: ring, to: second }, { step: over, to: asking }, { step: tell, to: all } ] }
  """

@Suite struct `Receivers of steps` {
  @Test func `a start step goes to the flow that it names`() throws {
    let drive = try Drive(office)
    #expect(drive.steps == ["first started"])
    #expect(drive.sketch == "top<*first[desk, page], second[desk], second[desk]>")
  }

  @Test func `a name finds another flow in front, root is the root flow, and a step to itself comes last`() throws {
    var drive = try Drive(office)
    drive.run(.select(.tab(2), node: nil))
    drive.run(.select(.tab(0), node: nil))
    drive.step("call")
    #expect(drive.steps == ["first call", "second ring", "top ring", "first tell"])
    #expect(drive.sketch == "top<*first[desk, page, note], second[desk, page], second[desk]>")
    #expect(drive.broken == [])
  }

  @Test func `for its own name the sending flow itself is nearest`() throws {
    var drive = try Drive(office)
    drive.run(.select(.tab(2), node: nil))
    drive.step("call")
    #expect(drive.sketch == "top<first[desk, page], second[desk], *second[desk, page]>")
  }

  @Test func `a step is handled by its receiver or a flow above`() throws {
    var drive = try Drive(office)
    drive.step("open")
    drive.step("over")
    #expect(drive.steps == ["asking over", "top ring"])
    #expect(drive.tree.children?.first?.presented?.isEnded == true)
  }

  @Test func `a step to all reaches every living flow, parent first, and is not passed on`() throws {
    var drive = try Drive(office)
    drive.step("open")
    drive.step("late")
    #expect(drive.steps == ["asking late", "top ring", "asking ring", "second ring", "second ring"])
    #expect(drive.sketch == "top<*first[desk, page] ^ asking[sheet, sheet], second[desk, page], second[desk, page]>")
    #expect(drive.drops == [])
    #expect(drive.broken == [])
  }

  @Test func `a step to a flow that does not exist is dropped`() throws {
    var drive = try Drive(office)
    drive.step("close")
    #expect(drive.outcome == "unchanged (flow-gone)")
    #expect(drive.drops == ["close flow-gone"])
  }

  @Test func `steps of rules, timers, loads and left reach the flow that they name`() throws {
    var drive = try Drive(office, creation: Creation(manualClock: true))
    drive.step("open")
    drive.step("close")
    #expect(drive.steps == ["asking close", "second late"])
    drive.run(.dismiss(node: nil))
    #expect(drive.steps == [])
    drive.step("wait")
    drive.step("ask")
    drive.advance(1_000)
    #expect(drive.steps == ["second ring"])
    drive.advance(4_000)
    #expect(drive.steps == ["second ring"])
    #expect(drive.sketch == "top<*first[desk, page~1], second[desk, note, page, page], second[desk]>")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a link to a flow has no sender, reaches a flow that is not in front, and is rejected without such a flow`() throws {
    var drive = try Drive(office)
    drive.run(.open(url: "x://ring"))
    #expect(drive.steps == ["second ring"])
    drive.run(.open(url: "x://ask"))
    #expect(drive.outcome == "flow-gone")
    drive.run(.open(url: "x://both"))
    #expect(drive.steps == ["second ring", "first tell"])
    #expect(drive.drops == ["over flow-gone"])
    #expect(drive.broken == [])
  }

  @Test func `a link closes the alert over its page`() throws {
    var drive = try Drive(
      """
      app: alerting
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, warning: {} }
      steps: { warn: {}, go: {}, close: {} }
      flows:
        main: { stack: home, handle: { warn: { present: warning, style: alert }, go: { push: home }, close: dismiss } }
      links: [ { scheme: x, path: /go, send: go }, { scheme: x, path: /close, send: close }, { scheme: x, path: /root, send: go, to: main } ]
      """)
    drive.step("warn")
    drive.run(.open(url: "x://go"))
    drive.run(.notification(url: "x://root", category: nil, tap: true, appState: .background))
    #expect(drive.sketch == "main[home, home, home]")
    drive.step("warn")
    drive.run(.open(url: "x://close"))
    #expect(drive.sketch == "main[home, home, home]")
    #expect(drive.broken == [])
  }

  @Test func `the receiver of a pending step is part of the state`() throws {
    var drive = try Drive(office, creation: Creation(manualClock: true))
    drive.step("wait")
    drive.step("ask")
    #expect(drive.state.effects.map(\.to) == [.flow("second"), nil])
    guard case .value(_, _, let then?, let otherwise?) = drive.state.effects[1].work else { throw Absent() }
    #expect(then.to == .flow("second") && otherwise.to == .flow("asking"))
  }
}

private struct Absent: Error {}
