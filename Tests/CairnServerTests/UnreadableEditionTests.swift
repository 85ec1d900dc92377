import CairnJournal
import CairnDefinition
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Editions that cannot be read` {
  /// A service that is started with a folder of two apps, after an operator has put a definition of one of them.
  private final class Stand: Sendable {
    let workshop: Workshop
    private let folder = Lock(FolderReading([]))

    init() throws {
      workshop = try Workshop()
      _ = try workshop.put(definition: Kiosk.second)
      try write(Kiosk.first, version: 1)
    }

    /// Changes the file of the app `kiosk`.
    func write(_ text: String, version: Int) throws {
      let (kiosk, lab) = (try DefinitionLoader.load(file: "kiosk", text: text), try DefinitionLoader.load(file: "lab", text: Workshop.lab))
      folder.withLock {
        $0 = FolderReading([.init("/kiosk.yaml", version: version, .success(kiosk)), .init("/lab.yaml", version: 1, .success(lab))])
      }
    }

    func start() throws { try workshop.service.publisher.begin("/") { [self] in folder.withLock { $0 } } }

    func read(_ trigger: Publisher.Trigger) {
      workshop.service.publisher.read(trigger)
      workshop.service.publisher.wait()
    }

    func create(_ app: String) throws -> String {
      let reply = try workshop.send("POST", "/v1/sessions", #"{"app":"\#(app)"}"#)
      return "\(reply.status) \(reply.code ?? "")"
    }

    func send(_ method: String, _ path: String, _ body: String = "") throws -> Reply {
      try workshop.send(method, path, body, as: Workshop.operatorKey)
    }
  }

  @Test(.oneNode("nodes that share a journal read no folder"))
  func `a damaged edition refuses creations of its app only, is reported, and is replaced by a put`() throws {
    let stand = try Stand()
    stand.workshop.journal.damageEdition(of: "kiosk")
    try stand.start()
    #expect(try stand.create("kiosk") == "503 storage")
    #expect(try stand.create("lab") == "201 ")
    let shown = try stand.send("GET", "/v1/apps/kiosk")
    #expect(shown.code == "storage" && shown.text.contains("an operator must put the definition again"))
    #expect(try stand.send("GET", "/v1/apps/kiosk/versions").code == "storage")
    let hash = try #require(stand.workshop.journal.definitions().first)
    #expect(try stand.send("POST", "/v1/apps/kiosk/rollouts", #"{"to":"\#(hash)"}"#).code == "storage")
    #expect(try stand.send("GET", "/v1/apps/lab").status == 200)
    #expect(try stand.send("GET", "/metrics").text.contains("cairn_editions_damaged 1"))
    let ready = try stand.send("GET", "/readyz")
    #expect(ready.status == 200 && ready.text.contains("[+]editions ok: damaged: kiosk"))
    stand.read(.signal)
    #expect(stand.workshop.log.all.count { $0.contains("app=kiosk") && $0.hasPrefix("error") } == 1)
    #expect(try stand.create("kiosk") == "503 storage", "another reading of the same file changes nothing")
    let put = try stand.workshop.put(definition: Kiosk.second)
    #expect(try stand.create("kiosk") == "201 ")
    #expect(try stand.send("GET", "/v1/apps/kiosk").headers["etag"] == "\"\(put)\"")
    #expect(try stand.send("GET", "/metrics").text.contains("cairn_editions_damaged 0"))
  }

  @Test(.oneNode("nodes that share a journal read no folder")) func `a changed file takes the place of a damaged edition`() throws {
    let stand = try Stand()
    stand.workshop.journal.damageEdition(of: "kiosk")
    try stand.start()
    #expect(try stand.create("kiosk") == "503 storage")
    try stand.write(Kiosk.second, version: 2)
    stand.read(.change)
    #expect(try stand.create("kiosk") == "201 ")
    #expect(try stand.workshop.journal.editions().edition(of: "kiosk")?.author == nil)
  }

  @Test(.oneNode("nodes that share a journal read no folder"))
  func `no older definition is served in place of a put one that is missing`() throws {
    let stand = try Stand()
    let folder = try DefinitionLoader.load(file: "kiosk", text: Kiosk.first).hash
    let edition = Edition(app: "kiosk", definition: String(repeating: "ab", count: 32), since: 9, author: "eve", above: folder)
    _ = try awaiting { [store = stand.workshop.store] in store.releases.publish([edition], texts: [:], after: [:], reply: $0) }.get()
    try stand.start()
    #expect(try stand.create("kiosk") == "503 storage")
    #expect(try stand.create("lab") == "201 ")
    // The file has changed since that put, so the file is served, as after any put.
    try stand.write(Kiosk.second, version: 2)
    try stand.start()
    #expect(try stand.create("kiosk") == "201 ")
  }
}
