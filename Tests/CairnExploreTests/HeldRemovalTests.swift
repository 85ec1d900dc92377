import CairnExplore
import Testing

/// Notifications that wait until the client has sent the actions that its user made without a network.
@Suite struct `Removals that wait for the client` {
  private static let app = """
    app: trial
    language: 1
    root: main
    offlineFor: 7d
    facts: { isNoted: { type: boolean, default: false } }
    screens:
      jobs: { emits: [opened, locked] }
      job: { emits: [asked, closed] }
      form: { emits: [sent, typed] }
      lock: { emits: { pinEntered: { pin: { type: string, secret: true } } } }
    steps: { withdrawn: , noted: }
    notifications:
      take:
        - { category: gone, how: silent, send: withdrawn, deliver: settled }
        - { category: note, how: silent, send: noted, to: asking, deliver: settled }
    flows:
      main:
        stack: jobs
        handle:
          opened: { push: job }
          closed: pop
          asked: { push: { flow: asking, then: answered } }
          answered: []
          locked: { present: lock, level: 9, sealed: true }
          pinEntered: { dismiss: lock }
          withdrawn: [popToRoot, { dismiss: lock }]
      asking: { stack: form, gives: {}, handle: { sent: finish, typed: { content: { text: oil } }, noted: { write: { isNoted: true } } } }
    """

  private static let begun = "lost: asking is removed without a result after a notification of the category gone"
  private static let draft = "lost: form, whose content an action has changed, is removed after a notification of the category gone"
  private static let dropped = "missed: the held action is dropped: flow-gone after a notification of the category note"
  private static let unlocked = "lifted: lock, which the client shows, is gone after a notification of the category gone"
  private static let closed = "offline: closed on job without a network is refused: dismissed after a notification of the category gone"

  private func trial(_ app: String = Self.app) throws -> Trial {
    try Trial(app) { limits in (limits.depth, limits.queue) = (3, 2) }
  }

  @Test func `refuse nothing that the user did before, and lose only what is open when they are performed`() throws {
    #expect(try trial().told == [Self.unlocked, Self.begun, Self.draft, Self.dropped])
  }

  @Test func `are reported with scenarios that pass`() throws {
    let trial = try trial()
    #expect(try trial.play(trial.found.findings.compactMap(\.scenario)) == 4)
    #expect(
      try trial.way(to: Self.begun) == """
        - name: "\(Self.begun)"
          steps:
            - offline: [{ step: opened }, { step: asked }]
              meanwhile: { notification: { aps: { category: gone, content-available: 1 } }, tap: false }
              online: { refused: [], tree: "main[jobs]" }
        """)
  }

  @Test func `lose nothing if the app handles the removal and the note, and leaves the lock`() throws {
    let app = Self.app.replacing("then: answered }", with: "then: answered, removed: given }").replacing(
      "noted: }", with: "noted: , given: }"
    )
    .replacing("send: noted, to: asking", with: "send: noted").replacing("[popToRoot, { dismiss: lock }]", with: "popToRoot")
    .replacing("answered: []", with: "answered: []\n      given: []\n      noted: { write: { isNoted: true } }")
    #expect(try trial(app).told == [])
  }

  @Test func `do not wait in an app without a time for which clients may be without a network`() throws {
    let trial = try trial(Self.app.replacing("offlineFor: 7d\n", with: ""))
    let way = try trial.way(to: "\(Self.closed), unless the app has offlineFor")
    #expect(try trial.play([way]) == 1)
  }

  @Test func `are the remedy for a notification that removes a page at once`() throws {
    let trial = try trial(Self.app.replacing("send: withdrawn, deliver: settled", with: "send: withdrawn"))
    let way = try trial.way(to: "\(Self.closed), unless its rule has deliver: settled")
    #expect(try trial.play([way]) == 1)
  }

  @Test func `are no remedy for a notification on which the user taps`() throws {
    let trial = try trial(Self.app.replacing("how: silent, send: withdrawn, deliver: settled", with: "how: tap, send: withdrawn"))
    #expect(trial.told.contains(Self.closed), "\(trial.told)")
  }
}
