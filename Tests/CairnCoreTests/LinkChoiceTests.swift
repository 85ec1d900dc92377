import CairnCore
import CairnTesting
import Testing

/// Links that match only under a condition, and the step for URLs that no link matches.
@Suite struct `Choice of a link` {
  private static let app = """
    app: choice
    language: 1
    root: main
    facts: { plan: { type: string, default: free, by: client }, limit: { type: integer, by: client } }
    screens: { home: , page: { params: { what: string } }, broken: { params: { url: string, reason: string } } }
    steps: { reported: { id: integer }, offered: { id: integer }, failed: { url: string, reason: string } }
    linkDefaults: { scheme: c, to: root, unmatched: failed }
    links:
      - { path: "/reports/{id}", when: { fact: plan, is: pro }, send: reported }
      - { path: "/reports/{id}", when: { fact: limit, over: 3 }, send: offered }
    flows:
      main:
        stack: home
        handle:
          reported: { push: page, with: { what: report } }
          offered: { push: page, with: { what: offer } }
          failed: { push: broken, with: { url: $url, reason: $reason } }
    """

  @Test(
    arguments: [
      (["plan": "pro", "limit": 9], "c://reports/7", "page(what: report)"), (["limit": 9], "c://reports/7", "page(what: offer)"),
      (["limit": 3], "c://reports/7", "broken(reason: unknown-link, url: c://reports/7)"),
      (["plan": "pro"], "c://reports/x", "broken(reason: invalid, url: c://reports/x)"),
      // The fault of a capture counts only if the condition of the link is true.
      ([:], "c://reports/x", "broken(reason: unknown-link, url: c://reports/x)"),
      ([:], "c://other", "broken(reason: unknown-link, url: c://other)"),
      ([:], "https://c.example/reports/7", "broken(reason: unknown-link, url: https://c.example/reports/7)"),
    ] as [([String: Value], String, String)])
  func `the first link whose condition is true is followed, or the step for other URLs is sent`(
    facts: [String: Value], url: String, page: String
  ) throws {
    var drive = try Drive(Self.app)
    if !facts.isEmpty { drive.run(.facts(facts)) }
    drive.run(.open(url: url))
    #expect(drive.sketch == "main[home, \(page)]")
    #expect(drive.broken == [])
  }

  @Test func `without a step for other URLs, a URL that no link matches is refused`() throws {
    var drive = try Drive(Self.app.replacing(", unmatched: failed", with: ""))
    drive.run(.open(url: "c://reports/7"))
    #expect(drive.outcome == "unknown-link")
    drive.run(.facts(["plan": "pro"]))
    drive.run(.open(url: "c://reports/x"))
    #expect(drive.outcome == "invalid")
    #expect(drive.sketch == "main[home]")
  }

  @Test func `a tapped notification whose link no link matches sends the step too`() throws {
    var drive = try Drive(Self.app)
    drive.run(.notification(url: "c://other", category: nil, tap: true, appState: .background))
    #expect(drive.sketch == "main[home, broken(reason: unknown-link, url: c://other)]")
  }

  @Test func `a URL that is too long is refused`() throws {
    let drive = try Drive(Self.app)
    var (state, meter) = (drive.state, Meter(Bounds()))
    let url = "c://" + String(repeating: "a", count: 10_000)
    let refusal = #expect(throws: Refusal.self) {
      try drive.reducer.reduce(&state, .open(url: url), stamp: Stamp(time: 1, nonce: "n"), meter: &meter)
    }
    #expect(refusal?.code == .valueTooLarge && state == drive.state)
  }

  @Test func `conditions are stored with the definition for a client, but not the step for other URLs`() throws {
    let definition = try Drive(Self.app).reducer.definition
    let read = try DefinitionFormat.read(DefinitionFormat.bytes(definition))
    #expect(read.links.map(\.when) == definition.links.map(\.when))
    #expect(definition.unmatched?.to == .root && read.unmatched == nil)
  }
}
