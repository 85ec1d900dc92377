import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

@Suite struct `A report that everything was sent` {
  private let hour = 3_600_000
  private let first = HeldID(1)
  private let second = HeldID(2)

  @Test func `is due in an app that works offline at the beginning, and when the newest numbered action is older than 12 hours`() {
    var contact = Contact()
    let week = 7 * 24 * hour
    #expect(contact.isDue(offlineFor: week, now: 0))
    contact.begin(at: 0)
    #expect(!contact.isDue(offlineFor: week, now: 0), "it is in progress")
    contact.end(isReceived: false)
    #expect(!contact.isDue(offlineFor: week, now: 0), "a failed report is not repeated at once")
    contact.noteAnswer(at: 11 * hour)
    #expect(!contact.isDue(offlineFor: week, now: 22 * hour))
    #expect(contact.isDue(offlineFor: week, now: 23 * hour))
    #expect(!contact.isDue(offlineFor: nil, now: 23 * hour))
  }

  @Test func `is due for held actions until the service has received it, once for each`() {
    var contact = Contact()
    contact.hold([first])
    #expect(contact.isDue(offlineFor: nil, now: 0))
    contact.begin(at: 0)
    contact.hold([second])
    contact.end(isReceived: false)
    #expect(contact.isDue(offlineFor: nil, now: 0))
    contact.begin(at: 0)
    contact.hold([HeldID(3)])
    contact.end(isReceived: true)
    #expect(contact.isDue(offlineFor: nil, now: 0), "one was held while the report was in progress")
    contact.begin(at: 0)
    contact.end(isReceived: true)
    contact.hold([first, second])
    #expect(!contact.isDue(offlineFor: nil, now: 0))
  }
}

@Suite(.tags(.timing), .ownThreads, .timeLimit(TestTimeout.limit)) struct `A predicted session whose service holds a removal` {
  private static let field = """
    app: field
    language: 1
    offlineFor: 7d
    root: main
    screens: { home: }
    flows: { main: { stack: home } }
    """

  private let service: LocalService

  init() throws { service = try LocalService(predictable: "shop,field", others: [Self.field]) }

  @Test func `reports when everything was sent, and then the removal runs`() async throws {
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    let predicted = try #require(try await session.predicting())
    try await predicted.step("productIsPicked", ["productId": 7])
    service.holdNumbered()
    let tap = Task { try await predicted.step("productIsPicked", ["productId": 8]) }
    var arrivals = service.arrivals.makeAsyncIterator()
    _ = await arrivals.next()
    #expect(try await service.office(session).act(.logout.settled).outcome == .pending)
    try await waitInTask(for: "the held action") { await predicted.replica?.revision == 3 }
    service.release()
    #expect(try await tap.value.outcome == .performed)
    try await waitInTask(for: "the removal") { await predicted.tree.sketch == "main[welcome]" }
    let causes = try await session.history().entries.map { $0.cause["type"] ?? $0.cause["step"] }
    #expect(causes.suffix(3) == ["logout", "productIsPicked", "contact"])
    await predicted.close()
  }

  @Test func `reports when it begins to predict, if the app works offline`() async throws {
    let session = try await service.client().start(app: "field")
    let predicted = try #require(try await session.predicting())
    try await waitInTask(for: "the report") { try await session.session().revision == 2 }
    let entry = try #require(try await session.history().entries.last)
    #expect(entry.cause["type"] == "contact")
    #expect(entry.json.at(["sender", "client"]) == .string(await predicted.client) && entry.json.at(["sender", "action"]) == 1)
    await predicted.close()
  }
}

extension `A predicted session in a file` {
  @Test func `a removal that was held before the state was read waits for a report too`() async throws {
    let session = try await start()
    let first = try await predict(session)
    try await first.act(pick(1))
    await first.saved()
    await first.close()
    #expect(
      try await service.office(session).act(SessionAction(["type": "set", "stack": [["screen": "home"]]]).settled).outcome == .pending)
    // The client discards a stored state of another build, and reads the state from the service. So its stream begins after the removal was held.
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing(#""engine":\#(Reducer.engine)"#, with: #""engine":\#(Reducer.engine + 1)"#)
      .write(to: file, atomically: true, encoding: .utf8)
    let predicted = try await predict(session)
    try await waitInTask(for: "the removal") { await predicted.tree.sketch == "main[home]" }
    await predicted.close()
  }
}

extension LocalService {
  /// A client of a session with an operator's key.
  fileprivate func office(_ session: SessionClient) throws -> SessionClient {
    try client().connect(id: session.id, secret: Self.operatorKey)
  }
}
