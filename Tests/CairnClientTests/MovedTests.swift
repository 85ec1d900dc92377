import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Live session that moves` {
  private static let first = """
    app: kiosk
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: { emits: [termsAreRequired] }, terms: {} }
    steps: { termsAreRequired: }
    flows: { main: { stack: home, handle: { termsAreRequired: { push: terms } } } }
    """

  /// The second version, in which the root is another flow, and the screen and the step have other names.
  private static let second = """
    app: kiosk
    language: 1
    compat: { emits: any }
    root: { flow: kiosk }
    screens: { home: { emits: [conditionsAreRequired] }, conditions: {} }
    steps: { conditionsAreRequired: }
    flows: { kiosk: { stack: home, handle: { conditionsAreRequired: { push: conditions } } } }
    """

  private static let migrations: [String: Value] = [
    "kept": [
      "screens": ["terms": ["to": "conditions"]], "flows": ["main": ["to": "kiosk"]],
      "steps": ["termsAreRequired": ["to": "conditionsAreRequired"]],
    ],
    "replaced": [
      "screens": ["terms": ["to": "conditions"]], "flows": ["main": ["replace": "kiosk"]], "steps": ["termsAreRequired": "remove"],
    ],
  ]

  @Test(arguments: ["kept", "replaced"]) func `the tree follows a move that renames or replaces the root, and an undo`(name: String)
    async throws
  {
    let service = try LocalService()
    let admin = try service.client(key: LocalService.operatorKey)
    try await admin.put(Self.first, as: "kiosk")
    let session = try await service.client().start(app: "kiosk", SessionStart())
    try await session.step("termsAreRequired")
    let old = try await session.session().definition
    try await admin.put(Self.second, as: "kiosk")
    let new = try #require(try await admin.apps()["kiosk"])
    let document = try #require(Self.migrations[name])
    let put = try await admin.exchange("PUT", "/v1/apps/kiosk/migrations/\(old)/\(new)", document)
    #expect(put.status == 200)
    var trees = session.trees.makeAsyncIterator()
    #expect(try await trees.next()?.tree.sketch == "main[home, terms]")
    var changes = session.changes(after: 2).makeAsyncIterator()
    let moved = try await admin.exchange("POST", "/v1/sessions/\(session.id)/migrate", ["to": .string(new)])
    #expect(moved.status == 200)
    let live = try #require(try await trees.next())
    #expect(try await live.tree == session.session().tree && live.revision == 3)
    #expect(live.tree.sketch == (name == "kept" ? "kiosk[home, conditions]" : "kiosk[home]"))
    try await session.step("conditionsAreRequired")
    #expect(try await trees.next()?.tree == session.session().tree)
    _ = try await admin.exchange("POST", "/v1/sessions/\(session.id)/undo", ["revision": 2])
    #expect(try await trees.next()?.tree.sketch == "main[home, terms]")
    #expect(try await session.session().definition == old)
    // The stream that began before the move has each revision once, and no other events.
    var revisions: [Int] = []
    while revisions.count < 3, let event = try await changes.next() {
      if case .change(let entry) = event { revisions.append(entry.revision) }
    }
    #expect(revisions == [3, 4, 5])
  }
}
