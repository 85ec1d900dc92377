import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Changes of definitions at run time` {
  /// An app whose timer, link and start show the screen with this name.
  private static func app(_ screen: String) -> String {
    """
    app: note
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    facts: { isOpen: { type: boolean, default: false } }
    screens: { page: { emits: [wait] }, \(screen): {} }
    steps: { begin: , wait: {}, ring: , go: {} }
    flows:
      main:
        stack: []
        handle:
          begin: { set: [page, \(screen)] }
          wait: { timer: { after: 2s, send: ring, name: clock } }
          ring: { set: [page, \(screen), \(screen)] }
          go: { set: [\(screen)] }
    links: [{ scheme: note, path: /x, requires: { fact: isOpen }, send: go }]
    """
  }

  private func file(_ service: Service, _ name: String = "note.yaml") -> URL { service.folder.appending(path: "apps/\(name)") }

  /// Saves a file atomically, as most editors do.
  private func save(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file, options: .atomic) }

  private func start(_ arguments: String...) async throws -> Service {
    try await Service(arguments: arguments, apps: ["note.yaml": Self.app("one")])
  }

  /// Waits until the log contains a text `times` times.
  private func said(_ text: String, _ service: Service, times: Int = 1) async throws {
    try await service.logged(text, times: times)
  }

  /// The screens with which a new session begins.
  private func beginning(_ service: Service) async throws -> [String] { try await service.session("note").created.routes }

  private func put(_ service: Service, _ text: String) async throws -> Reply {
    try await service.send(
      "PUT", "/v1/apps/note", body: Data(text.utf8), secret: Service.operatorKey, headers: ["Content-Type": "application/yaml"])
  }

  private func versions(_ service: Service) async throws -> [Value] {
    let reply = try await service.send("GET", "/v1/apps/note/versions", secret: Service.operatorKey)
    guard case .array(let versions)? = reply["versions"] else { throw Service.Failure(reply.text) }
    return versions
  }

  @Test func `a saved file is served, an invalid one is reported and replaces nothing, and a corrected one is served`() async throws {
    let service = try await start("--watch")
    #expect(try await beginning(service) == ["page", "one"])
    try save(Self.app("two"), to: file(service))
    try await said("note was ", service)
    #expect(try await beginning(service) == ["page", "two"])
    try save(Self.app("three") + "\nscreeens: {}\nlinkz: []\n", to: file(service))
    let check = try await service.run("check", file(service).path)
    let problems = check.output.split(separator: "\n")
    #expect(problems.count == 2)
    for problem in problems { try await said("level=error message=definition problem=\"\(problem)\"", service) }
    #expect(try await service.send("GET", "/readyz").text.contains("invalid files, whose previous definitions are still served: note.yaml"))
    #expect(try await service.send("GET", "/metrics").text.contains("\ncairn_definitions_broken 1\n"))
    #expect(try await beginning(service) == ["page", "two"])
    try save(Self.app("three"), to: file(service))
    try await said("definition corrected", service)
    #expect(try await beginning(service) == ["page", "three"])
    #expect(try await service.send("GET", "/readyz").text.contains("[+]definitions ok\n"))
    #expect(service.terminate() == 0)
  }

  @Test func `files are added, renamed and removed, and sessions of removed apps continue`() async throws {
    let service = try await start("--watch")
    let session = try await service.session("note")
    try save(Self.app("one").replacing("app: note", with: "app: other"), to: file(service, "other.json"))
    try await said("other is new", service)
    #expect(try await service.session("other").created.status == 201)
    try FileManager.default.copyItem(at: file(service), to: file(service, "copy.yml"))
    try await said("the app note is defined by more than one file", service, times: 2)
    #expect(try await beginning(service) == ["page", "one"])
    try FileManager.default.removeItem(at: file(service))
    try await said("definition corrected", service, times: 2)
    #expect(try await beginning(service) == ["page", "one"])
    try FileManager.default.removeItem(at: file(service, "copy.yml"))
    try await said("note was removed; its sessions continue, and no new ones can be created", service)
    #expect(try await service.post("/v1/sessions", ["app": "note"]).code == "unknown-app")
    #expect(try await session.step("wait").status == 200)
    #expect(try await versions(service).map { $0["current"] } == [false])
    #expect(service.terminate() == 0)
  }

  @Test func `SIGHUP reads the folder again, reports changes in one line, and ends no session, whatever the folder contains`() async throws
  {
    let service = try await start()
    try save(Self.app("two"), to: file(service))
    service.signal(SIGHUP)
    try await said("message=\"definitions read\" broken=0 changed=\"note was ", service)
    #expect(try await beginning(service) == ["page", "two"])
    service.signal(SIGHUP)
    try await said("message=\"definitions read\" broken=0 changed=nothing", service)
    let apps = service.folder.appending(path: "apps")
    try FileManager.default.moveItem(at: apps, to: service.folder.appending(path: "away"))
    service.signal(SIGHUP)
    try await said("message=\"definitions read\" broken=1 changed=nothing", service)
    try FileManager.default.createDirectory(at: apps, withIntermediateDirectories: false)
    service.signal(SIGHUP)
    try await said("the folder has no definition (*.yaml, *.yml or *.json)", service)
    #expect(try await beginning(service) == ["page", "two"])
    #expect(try await service.send("GET", "/readyz").status == 200)
    try FileManager.default.removeItem(at: apps)
    try FileManager.default.moveItem(at: service.folder.appending(path: "away"), to: apps)
    for _ in 0..<50 { service.signal(SIGHUP) }
    try await said("message=\"definitions read\" broken=0 changed=nothing", service, times: 2)
    #expect(service.terminate() == 0)
  }

  @Test func `timers and held links of a session keep its definition across a change and a crash`() async throws {
    let service = try await start("--watch")
    let session = try await service.session("note")
    #expect(try await session.open("note:///x").status == 202)
    #expect(try await session.act(["type": "pop"]).status == 200)
    #expect(try await session.step("wait").status == 200)
    try save(Self.app("two"), to: file(service))
    try await said("note was ", service)
    service.crash()
    try await service.start()
    #expect(try await beginning(service) == ["page", "two"])
    let rung = try await session.until { $0.routes.count == 3 }
    #expect(rung.routes == ["page", "one", "one"])
    let followed = try await session.act(["type": "facts", "set": ["isOpen": true]], as: Service.operatorKey)
    #expect(followed.routes == ["one"])
    #expect(try await versions(service).map { $0["sessions"] } == [1, 1])
    #expect(try await versions(service).map { $0["current"] } == [false, true])
  }

  @Test func `a definition that was put is served after a crash, until its file changes`() async throws {
    let service = try await start()
    let reply = try await put(service, Self.app("put"))
    service.crash()
    #expect(reply.status == 200 && reply["changed"] == true)
    try await service.start()
    #expect(try await beginning(service) == ["page", "put"])
    service.signal(SIGHUP)
    try await said("message=\"definitions read\" broken=0 changed=nothing", service)
    #expect(try await versions(service).map { $0["by"] } == [nil, "operator"])
    try save("# another word\n" + Self.app("one"), to: file(service))
    service.crash()
    try await service.start()
    #expect(try await beginning(service) == ["page", "put"], "a word beside the definition is none of it")
    try save(Self.app("two"), to: file(service))
    service.crash()
    try await service.start()
    #expect(try await beginning(service) == ["page", "two"])
    try save(Self.app("one"), to: file(service))
    service.signal(SIGHUP)
    try await said("note was ", service)
    #expect(try await beginning(service) == ["page", "one"], "what was put is over")
  }

  @Test func `an app without a file that was put is served after a restart`() async throws {
    let service = try await start()
    let text = Self.app("only").replacing("app: note", with: "app: lone")
    let reply = try await service.send("PUT", "/v1/apps/lone", body: Data(text.utf8), secret: Service.operatorKey)
    #expect(reply.status == 201)
    #expect(service.terminate() == 0)
    try await service.start()
    #expect(try await service.session("lone").created.routes == ["page", "only"])
  }

  @Test func `a definition cannot read the secrets of the service`() async throws {
    let names = ["CAIRN_SECRET_KEY", "CAIRN_OPERATOR_KEY", "CAIRN_OPERATOR_KEYS", "NOTE_WORD"]
    let facts = names.enumerated().map { "f\($0): { type: string, env: \($1), shown: true }" }.joined(separator: ", ")
    let text = Self.app("one").replacing("facts: {", with: "facts: { \(facts),")
    let service = try await Service(
      environment: [
        "CAIRN_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(), "CAIRN_OPERATOR_KEYS": "eve: the-key-of-eve-0001",
        "NOTE_WORD": "a word",
      ], apps: ["note.yaml": text])
    let seen = try await service.session("note").created["facts"]
    #expect(seen?["f3"] == "a word" && seen?["f0"] == nil && seen?["f1"] == nil && seen?["f2"] == nil)
  }

  @Test func `while a file is saved repeatedly, each new session has one complete version`() async throws {
    let service = try await start("--watch")
    let file = file(service)
    let wanted: [String: [String]] = try await {
      var wanted: [String: [String]] = [:]
      for screen in ["one", "two"] {
        let reply = try await put(service, Self.app(screen))
        if case .string(let hash)? = reply["definition"] { wanted[hash] = ["page", screen] }
      }
      return wanted
    }()
    #expect(wanted.count == 2)
    // The file is saved again after every hundred created sessions.
    let created = Monitor(0)
    let saving = try NamedThread("saving") {
      for count in 0..<10 {
        let _: Void? = created.wait { $0 >= count * 100 ? () : nil }
        // Every third write is in place, and the others rename a new file. During a write in place, a reader can see half of the file.
        let text = Data(Self.app(count % 2 == 0 ? "one" : "two").utf8)
        #expect(throws: Never.self) {
          if count % 3 == 0 {
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            for part in [text.prefix(text.count / 2), text.suffix(from: text.count / 2)] { try handle.write(contentsOf: part) }
            try handle.close()
          } else {
            try text.write(to: file, options: .atomic)
          }
        }
      }
    }
    var seen: [String: Int] = [:]
    try await withThrowingTaskGroup(of: [(String, [String])].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var found: [(String, [String])] = []
          for _ in 0..<250 {
            let reply = try await service.session("note").created
            created.change { $0 += 1 }
            if case .string(let hash)? = reply["definition"] { found.append((hash, reply.routes)) }
          }
          return found
        }
      }
      for try await found in group {
        for (hash, routes) in found {
          #expect(wanted[hash] == routes)
          seen[hash, default: 0] += 1
        }
      }
    }
    saving.join()
    #expect(seen.values.reduce(0, +) == 1_000)
    #expect(service.terminate() == 0)
  }
}
