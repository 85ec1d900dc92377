import CairnExplore
import Testing

/// Losses of users and others although the service runs each action that was made without a network.
@Suite struct `Losses without a network` {
  private static let app = """
    app: trial
    language: 1
    root: main
    screens:
      home: { emits: [opened, locked, picked] }
      page: { emits: [asked] }
      form: { emits: [sent] }
      done:
      alarm: { emits: [alarmRead] }
      lock: { emits: { pinEntered: { pin: { type: string, secret: true } } } }
    steps: { raised: { by: operator }, ended: { by: operator }, officeLocked: { by: operator }, warned: { by: operator }, due: }
    flows:
      main:
        stack: home
        handle:
          opened: { push: page }
          asked: { present: { flow: asking, then: answered }, level: 5 }
          answered: { push: done }
          picked: { present: inner }
          locked: [{ when: { not: { screen: alarm } }, do: { present: lock, level: 9, guard: true } }]
          pinEntered: { dismiss: lock }
          alarmRead: { dismiss: alarm }
          ended: popToRoot
          raised: [{ when: { not: { screen: alarm } }, do: { present: alarm } }]
          officeLocked: [{ when: { not: { screen: lock } }, do: { present: lock, level: 9, guard: true } }]
          warned: { send: due, to: inner }
      asking: { stack: form, gives: {}, handle: { sent: finish } }
      inner: { stack: form, handle: { sent: finish, due: [{ when: { not: { screen: alarm } }, do: { present: alarm } }], alarmRead: { dismiss: alarm } } }
    """

  private static let lostResult =
    "lost: a result does not reach main answered after the step ended, unless it is posted with deliver: settled"
  private static let missedAlarm = "missed: alarm is removed before it was seen after the step warned"
  private static let goneLock = "lifted: lock, which the client shows, is gone after the step raised"
  private static let openLock = "lifted: an action of the user runs under the modal lock, which is not sealed, after the step officeLocked"

  private func trial(_ app: String = Self.app, queue: Int = 2) throws -> Trial {
    try Trial(app) { limits in
      limits.depth = 3
      limits.queue = queue
    }
  }

  /// The findings of the kinds `lost`, `missed` and `lifted`, without those about refused actions.
  private func losses(_ trial: Trial) -> [String] {
    trial.told.filter { told in ["lost: ", "missed: ", "lifted: "].contains { told.hasPrefix($0) } }
  }

  @Test func `are a result, an alarm, and a lock that is gone or not sealed`() throws {
    let losses = losses(try trial())
    for loss in [Self.lostResult, Self.missedAlarm, Self.goneLock, Self.openLock] { #expect(losses.contains(loss), "\(losses)") }
    #expect(Set(losses).count == losses.count)
  }

  @Test func `are reported with scenarios that pass`() throws {
    let trial = try trial()
    let cases = trial.found.findings.filter { [.lost, .missed, .lifted].contains($0.kind) }.compactMap(\.scenario)
    #expect(cases.count == losses(trial).count)
    #expect(try trial.play(cases) == cases.count)
  }

  @Test func `are the same on any number of threads`() throws {
    let all = try [1, 3].map { threads in
      try Trial(Self.app) { limits in (limits.depth, limits.queue, limits.threads) = (3, 2, threads) }.found.findings.map(\.scenario)
    }
    #expect(all[0] == all[1])
  }

  @Test func `are shown by the tree after the queue`() throws {
    let trial = try trial(queue: 1)
    #expect(
      try trial.way(to: Self.lostResult) == """
        - name: "\(Self.lostResult)"
          steps:
            - when:
                - { step: opened }
                - { step: asked }
            - offline: [{ step: sent }]
              meanwhile: { step: ended }
              online: { refused: [], tree: "main[home]" }
        """)
    #expect(
      try trial.way(to: Self.missedAlarm).hasSuffix(
        """
            - offline: [{ step: sent }]
              meanwhile: { step: warned }
              online: { refused: [], tree: "main[home]" }
        """))
    #expect(
      try trial.way(to: Self.goneLock).hasSuffix(
        """
            - offline: [{ step: locked }]
              meanwhile: { step: raised }
              online: { refused: [], tree: "main[home] ^ alarm" }
        """))
  }

  @Test func `do not exist if the receiver, the alarm and the locks are safe`() throws {
    let app = Self.app.replacing("ended: popToRoot", with: "ended: []").replacing("to: inner }", with: "to: main }")
      .replacing(
        "{ not: { screen: alarm } }, do: { present: lock, level: 9, guard: true }", with: "{ not: { screen: lock } }, do: \(Self.sealed)"
      )
      .replacing("do: { present: lock, level: 9, guard: true }", with: "do: \(Self.sealed)")
      .replacing("  warned: {", with: "  due: [{ when: { not: { screen: alarm } }, do: { present: alarm, level: 7 } }]\n      warned: {")
    #expect(losses(try trial(app)) == [])
  }

  private static let sealed = "{ present: lock, level: 9, guard: true, sealed: true }"

  @Test func `of a lock are not reported if others remove a lock that the client has from the service`() throws {
    let app = Self.app.replacing("ended: popToRoot", with: "ended: { dismiss: lock }\n      hinted: { write: { isHinted: true } }")
      .replacing("secret: true } } } }", with: "secret: true } }, hinted: } }")
      .replacing("flows:", with: "facts: { isHinted: { type: boolean, default: false } }\nflows:")
    let told = try trial(app).told
    #expect(
      told.contains(
        "offline: hinted on lock without a network is refused: dismissed after the step ended, unless it is posted with deliver: settled"),
      "\(told)")
    #expect(!told.contains { $0.hasPrefix("lifted: ") && $0.hasSuffix("the step ended") })
  }

  @Test func `of a lock are found if the app locks because the user was away`() throws {
    let app = Self.app.replacing("flows:", with: "rules: [{ when: { fact: away, over: 5m }, send: locked }]\nflows:")
      .replacing("home: { emits: [opened, locked, picked] }", with: "home: { emits: [opened, picked] }").replacing(
        "due: }", with: "due: , locked: }")
    let found = try trial(app, queue: 1)
    let way = try found.way(to: Self.goneLock)
    #expect(way.contains("    - offline: [{ appState: foreground }]\n      meanwhile: { step: raised }\n"), "\(way)")
    try found.play([way])
  }

  @Test func `are tried only on request`() throws { #expect(losses(try trial(queue: 0)) == []) }
}
