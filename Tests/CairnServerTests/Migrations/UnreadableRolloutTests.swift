import CairnJournal
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Rollouts that cannot be read` {
  /// An app with a rollout of almost all its sessions to a definition, and another app.
  private struct Stand {
    let workshop: Workshop
    let old: String

    init(to target: String) throws {
      workshop = try Workshop()
      old = try workshop.put(definition: Kiosk.first)
      let rollout = Rollout(
        app: "kiosk", from: old, to: target, share: Rollout.whole - 1, moment: nil, rate: 1, isDryRun: false, since: 1, author: "eve")
      _ = try awaiting { [store = workshop.store] in store.releases.keep(rollout, after: 0, reply: $0) }.get()
    }

    func create(_ app: String) throws -> String {
      let reply = try workshop.send("POST", "/v1/sessions", #"{"app":"\#(app)"}"#)
      return "\(reply.status) \(reply.code ?? "")"
    }

    func send(_ method: String, _ path: String, _ body: String = "") throws -> Reply {
      try workshop.send(method, "/v1/apps/kiosk/rollouts\(path)", body, as: Workshop.operatorKey)
    }
  }

  @Test(.oneNode("it breaks the store of one node"))
  func `a session does not begin with the old definition because that of the rollout cannot be read`() throws {
    let stand = try Stand(to: String(repeating: "ab", count: 32))
    #expect(try stand.create("kiosk") == "503 storage", "the definition is not there")
    stand.workshop.journal.failDefinitions(true)
    #expect(try stand.create("kiosk") == "503 storage", "the journal cannot be read")
    #expect(try stand.create("lab") == "201 ")
  }

  @Test(.oneNode("it breaks the store of one node"))
  func `a damaged rollout refuses creations of its app only, is reported, and is replaced by a new one`() throws {
    let stand = try Stand(to: String(repeating: "ab", count: 32))
    stand.workshop.journal.damageRollout(of: "kiosk")
    // The rollouts are read again when one changes.
    let other = Rollout(app: "qiita", from: "a", to: "b", moment: nil, rate: 1, isDryRun: false, since: 1, author: "eve")
    _ = try awaiting { [store = stand.workshop.store] in store.releases.keep(other.with(state: .stopped), after: 0, reply: $0) }.get()
    try wait(for: "the damage to be found") { !stand.workshop.store.releases.damagedRollouts.isEmpty }
    #expect(try stand.create("kiosk") == "503 storage")
    #expect(try stand.create("lab") == "201 ")
    for (method, path) in [("GET", ""), ("POST", "/stop"), ("POST", "/revert")] { #expect(try stand.send(method, path).code == "storage") }
    #expect(try stand.workshop.send("GET", "/v1/apps/lab/rollouts", as: Workshop.operatorKey).status == 404)
    #expect(try stand.workshop.send("GET", "/metrics").text.contains("cairn_rollouts_damaged 1"))
    let ready = try stand.workshop.send("GET", "/readyz")
    #expect(ready.status == 200 && ready.text.contains("[+]rollouts ok: damaged: kiosk"))
    let begun = try stand.send("POST", "", #"{"to":"\#(stand.old)"}"#)
    #expect(begun.status == 201)
    #expect(try stand.create("kiosk") == "201 ")
    #expect(try stand.workshop.send("GET", "/metrics").text.contains("cairn_rollouts_damaged 0"))
  }
}
