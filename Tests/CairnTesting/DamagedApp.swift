import CairnCore
package import CairnJournal
import CairnStore

/// A journal with two apps. The rows of one app are damaged, and the users of the other app must not notice.
package enum DamagedApp {
  /// The app with the damaged rows, and the other one.
  package static let victim = Trial.pinned("trial")
  package static let other = Trial.pinned("other")

  /// Fills an empty journal, so that each table has rows of the app to damage. The first session is the one to damage.
  package static func fill(_ bench: StoreBench) throws {
    for app in [victim, other] {
      let edition = Edition(app: app.definition.app, definition: app.hash, since: 5, author: "eve", above: app.hash)
      try awaiting { bench.store.releases.publish([edition], texts: [app.hash: app.text], after: [:], reply: $0) }.get()
    }
    try awaiting { bench.store.releases.keep(Trial.migration(from: victim, to: victim), reply: $0) }.get()
    let rollout = Rollout(
      app: "trial", from: victim.hash, to: victim.hash, moment: nil, rate: 1, isDryRun: true, since: 5, author: "eve")
    _ = try awaiting { bench.store.releases.keep(rollout, after: 0, reply: $0) }.get()
    for (id, app) in [("v", victim), ("o", other), ("w", victim), ("gone", victim)] {
      try bench.create(id, definition: app, label: "label", accessToken: "token")
      for page in 1...30 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: id) }
      let key = RequestKey(name: Fingerprint([1]), print: Fingerprint([9]))
      try bench.postOnce(Trial.page(31), to: id, key: key)
      try bench.post(Trial.step("openSafe", ["pin": "1234"]), to: id)
      try bench.post(Trial.step("sleep"), Trial.step("ring"), to: id)
    }
    _ = try awaiting { bench.store.forget("v", before: 20, reply: $0) }.get()
    try bench.delete("gone")
  }

  /// Runs typical requests of users of both apps. Returns the faults that users of the other app notice.
  package static func use(_ bench: StoreBench) -> [String] {
    var noticed: [String] = []
    func expect(_ what: String, _ isRight: () throws -> Bool) {
      do { if try !isRight() { noticed.append(what) } } catch { noticed.append("\(what): \(error)") }
    }
    // The results for users of the damaged app are not checked. Each call only has to return.
    func tryAll() {
      for id in ["v", "w"] {
        let calls: [() throws -> Void] = [
          { _ = try bench.session(id) }, { _ = try bench.session(id, at: 25) }, { _ = try bench.history(of: id) },
          { try bench.post(Trial.page(40), to: id) }, { try bench.post(Trial.page(41), to: id) },
          { try bench.postOnce(Trial.page(42), to: id, key: RequestKey(name: Fingerprint([1]), print: Fingerprint([9]))) },
          { try bench.post(Trial.step("sendPin", ["pin": "1234"]), to: id) },
          { _ = try awaiting { bench.store.forget(id, before: 40, reply: $0) }.get() },
        ]
        for call in calls { do { try call() } catch {} }
      }
      let lists: [() throws -> Void] = [
        { _ = try bench.sessions() }, { _ = try bench.sessions(app: "trial", label: "label") },
        { try bench.create("v2", definition: victim) },
        { _ = try awaiting { bench.store.releases.versions(of: "trial", reply: $0) }.get() }, { try bench.delete("w") },
      ]
      for call in lists { do { try call() } catch {} }
    }
    func useOther(_ number: Int) {
      expect("its newest state") { try bench.session("o").pages.first == 0 }
      expect("an earlier state") { try bench.session("o", at: 25).state.revision == 25 }
      expect("a post") { try !bench.post(Trial.page(50), to: "o").performed.isEmpty }
      expect("its history") { try bench.history(of: "o", limit: 10).items.count == 10 }
      expect("a new session") { try bench.create("new-\(number)", definition: other).session.pages == [0] }
      expect("the edition for new sessions") {
        try awaiting { bench.store.releases.editions(reply: $0) }.get().edition(of: "other")?.definition == other.hash
      }
      expect("a new edition") {
        // The publication must succeed although the newest edition of another app is damaged, so that `known` does not contain this app.
        let editions = try awaiting { bench.store.releases.editions(reply: $0) }.get()
        let known = Dictionary(editions.intact.map { ($0.app, $0) }) { $1 }
        let edition = Edition(app: "other", definition: other.hash, since: 100 + number, author: "eve", above: other.hash)
        try awaiting { bench.store.releases.publish([edition], texts: [other.hash: other.text], after: known, reply: $0) }.get()
        return try awaiting { bench.store.releases.editions(reply: $0) }.get().edition(of: "other") == edition
      }
      expect("the list") { try bench.sessions(app: "other").sessions.count == 1 + number }
      expect("the served definition") {
        try awaiting { bench.store.releases.versions(of: "other", reply: $0) }.get().editions.last?.definition == other.hash
      }
    }
    useOther(1)
    tryAll()
    bench.clock.advance(by: 10_000)
    expect("the end of what is due") {
      try bench.settle()
      return true
    }
    useOther(2)
    return noticed
  }
}
