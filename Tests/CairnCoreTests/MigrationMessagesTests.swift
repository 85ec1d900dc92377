import CairnCore
import CairnTesting
import Testing

private let app = """
  app: messages
  language: 1
  root: main
  allowHosts: [bank.example]
  screens:
    home: { emits: { pay: { order: integer } } }
    receipt: { params: { n: integer }, emits: [pay] }
    failure: { params: { reason: string } }
  steps: { paid: { n: integer }, declined: { reason: string } }
  flows:
    main:
      stack: home
      handle:
        pay:
          submit:
            post: "https://bank.example/payments"
            key: $order
            body: { order: $order }
            then: { step: paid, with: { n: $result.n } }
            else: { step: declined, with: { reason: $error.reason } }
        paid: { push: receipt, with: { n: $n } }
        declined: { push: failure, with: { reason: $reason } }
  """

/// The app, in which the two steps that the message sends have other names.
private let renamed = app.replacing("paid", with: "settled").replacing("declined", with: "rejected")

@Suite struct `Migration of messages` {
  private static let migration = Migration(steps: [
    "paid": .keep(as: "settled", params: [:]), "declined": .keep(as: "rejected", params: [:]),
  ])

  private func drive() throws -> MigrationDrive {
    var drive = try MigrationDrive(app)
    drive.step("pay", ["order": 7])
    #expect(drive.reason == nil && drive.keys == ["7"])
    return drive
  }

  @Test func `a message in progress goes on, and its result is sent under the new name of its step`() throws {
    var drive = try drive()
    let effects = drive.state.effects.map(\.id)
    try drive.migrate(to: renamed, Self.migration)
    #expect(drive.reason == nil && drive.keys == ["7"] && drive.state.effects.map(\.id) == effects)
    #expect(drive.last.started == [] && drive.last.cancelled == [] && drive.last.events == [])
    let id = try #require(effects.first)
    var other = drive
    drive.run(.effect(id: id, .loaded(["n": 31])))
    #expect(drive.steps == ["main settled"] && drive.sketch == "main[home, receipt(n: 31)]" && drive.broken == [])
    other.run(.effect(id: id, .failed("http-status: 403")))
    #expect(other.steps == ["main rejected"] && other.sketch == "main[home, failure(reason: http-status)]" && other.broken == [])
  }

  @Test(arguments: [
    (renamed, Migration(), "paid"), (app, Migration(steps: ["paid": .remove]), "paid"),
    (renamed, Migration(steps: ["paid": .keep(as: "settled", params: [:])]), "declined"),
    (app, Migration(steps: ["declined": .remove]), "declined"),
  ])
  func `a session with a message in progress is not migrated if a step of the message is gone`(
    new: String, migration: Migration, step: String
  ) throws {
    var drive = try drive()
    try drive.migrate(to: new, migration)
    #expect(drive.reason == "the message 7 has not ended, and its step \(step) does not exist in the new definition")
    #expect(drive.keys == ["7"] && drive.broken == [])
    let id = try #require(drive.state.effects.first?.id)
    drive.run(.effect(id: id, .loaded(["n": 31])))
    #expect(drive.sketch == "main[home, receipt(n: 31)]")
    try drive.migrate(to: new, migration)
    #expect(drive.reason == nil && drive.keys == [] && drive.broken == [])
  }

  @Test func `the key of a message that has ended stays known, and its result is sent under the new name`() throws {
    var drive = try drive()
    drive.run(.effect(id: try #require(drive.state.effects.first).id, .loaded(["n": 31])))
    try drive.migrate(to: renamed, Self.migration)
    drive.step("pay", ["order": 7])
    #expect(drive.steps == ["main pay", "main settled"] && drive.keys == [])
    #expect(drive.sketch == "main[home, receipt(n: 31), receipt(n: 31)]" && drive.broken == [])
  }
}

extension MigrationDrive {
  /// The keys of the messages in progress.
  fileprivate var keys: [String] { state.effects.compactMap { $0.message?.key } }
}
