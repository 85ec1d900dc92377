import CairnExplore
import Testing

/// The actions of users without a network, in each state and after each entry of the service.
@Suite struct `Actions without a network` {
  private static let app = """
    app: trial
    language: 1
    root: main
    screens: { form: { emits: [sent] }, done: { emits: [closed] }, alarm: { emits: [alarmRead] }, lock: { emits: [opened] } }
    steps: { raised: { by: operator }, locked: { by: operator }, ended: { by: operator } }
    flows:
      main:
        stack: form
        handle:
          sent: { push: done }
          closed: pop
          raised: { when: { not: { screen: alarm } }, do: { present: alarm } }
          alarmRead: { dismiss: alarm }
          locked: { when: { not: { screen: lock } }, do: { present: lock, level: 9, sealed: true } }
          opened: { dismiss: lock }
          ended: popToRoot
    """

  private func trial(_ app: String = Self.app, queue: Int = 2) throws -> Trial {
    try Trial(app) { limits in
      limits.depth = 3
      limits.queue = queue
    }
  }

  private func offline(_ trial: Trial) -> [String] { trial.told.filter { $0.hasPrefix("offline: ") } }

  @Test func `are refused under a sealed modal and on a removed page, and are not under another modal`() throws {
    let told = offline(try trial())
    #expect(told.contains("offline: sent on form without a network is refused: hidden after the step locked"))
    for action in ["closed", "back"] {
      let text = "\(action) on done without a network is refused: dismissed after the step ended"
      #expect(told.contains("offline: \(text), unless it is posted with deliver: settled"))
    }
    #expect(!told.contains { $0.contains("the step raised") }, "\(told)")
    #expect(Set(told).count == told.count)
  }

  @Test func `are not refused if nothing is sealed and nothing is removed`() throws {
    let app = Self.app.replacing(", sealed: true", with: "").replacing("ended: popToRoot", with: "ended: { push: done }")
    #expect(offline(try trial(app)) == [])
  }

  @Test func `are reported with scenarios that pass`() throws {
    let trial = try trial()
    let cases = trial.found.findings.filter { $0.kind == .offline }.compactMap(\.scenario)
    #expect(cases.count == offline(trial).count)
    #expect(try trial.play(cases) == cases.count)
    #expect(
      try trial.way(to: "offline: sent on form without a network is refused: hidden after the step locked") == """
        - name: "offline: sent on form without a network is refused: hidden after the step locked"
          steps:
            - offline: [{ step: sent }, { step: closed }]
              meanwhile: { step: locked }
              online: { refused: [sent hidden, closed dismissed] }
        """)
  }

  @Test func `are tried in queues, of which only one group is refused`() throws {
    let app = Self.app.replacing("sent: { push: done }", with: "sent: [{ when: { fact: isLate }, do: [] }, { do: { push: done } }]")
      .replacing("ended: popToRoot", with: "ended: { write: { isLate: true } }")
      .replacing("flows:", with: "facts: { isLate: { type: boolean, default: false } }\nflows:")
    let told = "offline: closed on done without a network is refused: dismissed after the step ended"
    #expect(!offline(try trial(app, queue: 1)).contains(told))
    let found = try trial(app)
    #expect(offline(found).contains(told))
    let way = try found.way(to: told)
    #expect(way.contains("- offline: [{ step: sent }, { step: closed }]\n") && way.hasSuffix("online: { refused: [closed dismissed] }"))
    try found.play([way])
  }

  @Test func `are tried only on request`() throws {
    #expect(offline(try trial(queue: 0)) == [])
  }
}
