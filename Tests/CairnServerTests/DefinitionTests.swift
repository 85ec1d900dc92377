import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Publishing definitions` {
  private let key = Workshop.operatorKey

  /// A small app. `step` is the step that its screen emits.
  private static func app(_ name: String = "note", step: String = "first") -> String {
    """
    app: \(name)
    language: 1
    root: { flow: main, start: begin }
    screens:
      page: { emits: [\(step)] }
    flows:
      main:
        stack: []
        handle:
          begin: { set: [page] }
          \(step): { push: page }
    """
  }

  private func put(
    _ workshop: Workshop, _ text: String, to app: String = "note", type: String? = "application/yaml", headers: [(String, String)] = []
  ) throws -> Reply {
    try workshop.send("PUT", "/v1/apps/\(app)", text, as: key, type: type, headers: headers)
  }

  private func hash(_ reply: Reply) -> String { if case .string(let hash)? = reply["definition"] { hash } else { "" } }

  @Test func `a put creates a definition, replaces it, or leaves it unchanged`() throws {
    let workshop = try Workshop()
    let first = try put(workshop, Self.app())
    #expect(first.status == 201 && first["app"] == "note" && first["changed"] == true && first["warnings"] == [])
    #expect(first.headers["etag"] == "\"\(hash(first))\"" && hash(first).count == 64)
    let again = try put(workshop, "# another word of mine\n" + Self.app())
    #expect(again.status == 200 && again["changed"] == false && hash(again) == hash(first))
    let other = try put(workshop, Self.app(step: "second"))
    #expect(other.status == 200 && other["changed"] == true && hash(other) != hash(first))
    #expect(try workshop.send("GET", "/v1/apps").text.contains(hash(other)))
    #expect(try workshop.session("note").act(#"{"step":"second"}"#).status == 200)
  }

  @Test(.oneNode("it looks into the journal in memory")) func `a definition is stored before the response, and is served after a restart`()
    throws
  {
    let workshop = try Workshop()
    let reply = try put(workshop, Self.app())
    let editions = try workshop.journal.documents.editions(of: "note")
    #expect(editions.map(\.definition) == [hash(reply)] && editions.map(\.author) == ["operator"] && editions.map(\.above) == [nil])
    let catalog = Catalog()
    let next = Publisher(catalog, workshop.store, Settings(), Workshop.logger(workshop.log))
    try next.begin("apps") { FolderReading([]) }
    #expect(catalog["note"]?.hash == hash(reply))
  }

  @Test(.oneNode("it stops or breaks the store of one node")) func `a definition that the journal rejects is not served`() throws {
    let workshop = try Workshop()
    workshop.journal.fail(with: .full)
    let reply = try put(workshop, Self.app())
    #expect(reply.status == 503 && reply.code == "storage")
    #expect(try workshop.send("GET", "/v1/apps/note").status == 404)
    workshop.journal.fail(with: nil)
    #expect(try put(workshop, Self.app()).status == 201)
  }

  @Test(.oneNode("it controls the journal in memory")) func `every error is reported with its position, and the served definition stays`()
    throws
  {
    let workshop = try Workshop()
    let before = try workshop.send("GET", "/v1/apps").text
    let text = "app: note\nlanguage: 1\nroot: { flow: man, start: begin }\nscreeens: {}\nflows: { main: { container: stak } }\n"
    let reply = try put(workshop, text)
    #expect(reply.status == 422 && reply.code == "invalid-definition")
    guard case .array(let errors)? = reply["errors"] else { throw Workshop.NoSession(reply: reply) }
    let told = errors.map { "\($0.at(["line"]) ?? 0):\($0.at(["column"]) ?? 0) \($0.at(["detail"]) ?? "")" }
    var wanted: [String] = []
    do {
      _ = try DefinitionLoader.check(file: "f", text: text)
    } catch {
      wanted = error.diagnostics.map { "\(Value.integer($0.line)):\(Value.integer($0.column)) \(Value.string($0.message))" }
    }
    #expect(told == wanted && told.count > 2)
    let other = try put(workshop, Self.app("other"))
    #expect(other.code == "invalid-definition" && other.text.contains("send it with PUT /v1/apps/other"))
    for text in ["", "{", "app: [", "7", "&a [*a]", "app: note\napp: note"] {
      #expect(try put(workshop, text).code == "invalid-definition", "\(text)")
    }
    let divided = try put(workshop, Self.app() + "\ninclude: [flows/*.yaml]")
    #expect(divided.code == "invalid-definition" && divided.text.contains("`cairn apps push` joins the files before it publishes them"))
    #expect(try workshop.send("GET", "/v1/apps").text == before && workshop.journal.documents.editions(of: "note").isEmpty)
  }

  @Test func `a definition with warnings is accepted, and the warnings are returned`() throws {
    let workshop = try Workshop()
    let reply = try put(workshop, Self.app() + "\n")
    #expect(reply["warnings"] == [])
    let doubtful = try put(workshop, Self.app().replacing("screens:", with: "screens:\n  lonely: {}"))
    guard case .array(let warnings)? = doubtful["warnings"] else { throw Workshop.NoSession(reply: doubtful) }
    #expect(doubtful.status == 200 && warnings.count == 1)
    #expect(warnings.first?.at(["line"]) == 5 && "\(warnings)".contains("lonely"))
  }

  @Test func `an environment variable with a value that its fact rejects is reported on publishing`() throws {
    let workshop = try Workshop(environment: ["NOTE_COUNT": "many"])
    let text = Self.app() + "\nfacts:\n  count: { type: integer, env: NOTE_COUNT }\n"
    let reply = try put(workshop, text)
    #expect(reply.code == "invalid-definition" && reply.text.contains("NOTE_COUNT") && !reply.text.contains("many"))
  }

  @Test(
    arguments: [
      ("application/yaml", 201), ("text/yaml; charset=utf-8", 201), ("application/x-yaml", 201), (nil, 201), ("application/json", 201),
      ("application/x-www-form-urlencoded", 201), ("text/plain", 415), ("application/yaml; charset=latin1", 415), ("image/png", 415),
    ] as [(String?, Int)])
  func `the declared media type decides whether a definition is accepted`(type: String?, status: Int) throws {
    let reply = try put(Workshop(), Self.app(), type: type)
    #expect(reply.status == status)
    if status == 415 { #expect(reply.headers["accept"] == "application/yaml, text/yaml, application/json") }
  }

  @Test func `a JSON and a YAML text with the same content are the same definition`() throws {
    let workshop = try Workshop()
    let first = try put(workshop, Self.app())
    let json = """
      {"app": "note", "language": 1, "root": {"flow": "main", "start": "begin"}, "screens": {"page": {"emits": ["first"]}},
       "flows": {"main": {"stack": [], "handle": {"begin": {"set": ["page"]}, "first": {"push": "page"}}}}}
      """
    let again = try put(workshop, json, type: "application/json")
    #expect(again.status == 200 && again["changed"] == false && hash(again) == hash(first))
  }

  @Test func `a body that is not text, is compressed or too large is rejected`() throws {
    let workshop = try Workshop()
    let bytes = try Wire.send(
      workshop.port, "PUT", "/v1/apps/note", headers: [("Authorization", "Bearer \(key)")], body: [0x61, 0xFF, 0xFE])
    #expect(bytes.status == 400 && bytes.code == "bad-request")
    #expect(try put(workshop, Self.app(), headers: [("Content-Encoding", "gzip")]).status == 415)
    #expect(try put(workshop, String(repeating: "#", count: 65 << 10)).status == 413)
    #expect(try put(workshop, Self.app(), to: "note?x=1").status == 422)
  }

  @Test func `a definition with a byte order mark is put as the one without it`() throws {
    let workshop = try Workshop()
    let first = try put(workshop, Self.app(step: "one"))
    let marked = try put(workshop, "\u{FEFF}" + Self.app(step: "one"))
    #expect(first.status == 201 && marked.status == 200 && marked["changed"] == false && hash(marked) == hash(first))
  }

  @Test func `If-Match and If-None-Match compare the tag of the definition`() throws {
    let workshop = try Workshop()
    func put(_ step: String, _ name: String, _ value: String) throws -> Reply {
      try self.put(workshop, Self.app(step: step), headers: [(name, value)])
    }
    #expect(try put("one", "If-Match", "*").status == 412)
    let first = try put("one", "If-None-Match", "*")
    #expect(first.status == 201)
    let refused = try put("two", "If-None-Match", "*")
    #expect(refused.status == 412 && refused.code == "definition-mismatch" && refused.headers["etag"] == "\"\(hash(first))\"")
    #expect(try put("two", "If-Match", "\"\(String(repeating: "0", count: 64))\"").status == 412)
    #expect(try put("two", "If-Match", "W/\"\(String(repeating: "0", count: 64))\"").status == 412)
    let second = try put("two", "If-Match", "\"x\", \"\(hash(first))\"")
    #expect(second.status == 200)
    #expect(try put("one", "If-Match", "\"\(hash(first))\"").status == 412)
    // A proxy that compresses responses makes their tags weak. The hash still names the definition.
    #expect(try put("two", "If-Match", "W/\"\(hash(second))\"").status == 200)
    #expect(try put("one", "If-Match", hash(first)).status == 400)
    #expect(try put("three", "Idempotency-Key", "\"again and again\"").status == 200)
    #expect(try put("three", "Idempotency-Key", "\"again and again\"")["changed"] == false)
  }

  @Test(.oneNode("it looks into the journal in memory")) func `simultaneous puts are serialised, so that only one matches the tag`() throws
  {
    let workshop = try Workshop()
    let first = hash(try put(workshop, Self.app()))
    let replies = Lock<[Int]>([])
    let threads = try (0..<8).map { number in
      try NamedThread("put-\(number)") {
        let reply = try? self.put(workshop, Self.app(step: "step\(number)"), headers: [("If-Match", "\"\(first)\"")])
        replies.withLock { $0.append(reply?.status ?? 0) }
      }
    }
    for thread in threads { thread.join() }
    #expect(replies.withLock { $0.sorted() } == [200] + [Int](repeating: 412, count: 7))
    #expect(try workshop.journal.documents.editions(of: "note").count == 2)
  }

  @Test func `sessions keep their definition, and versions count the sessions of each`() throws {
    let workshop = try Workshop()
    let old = hash(try put(workshop, Self.app(step: "before")))
    let sessions = try (0..<3).map { _ in try workshop.session("note") }
    let new = hash(try put(workshop, Self.app(step: "after")))
    let fresh = try workshop.session("note")
    #expect(try sessions[0].act(#"{"step":"before"}"#).status == 200 && sessions[0].act(#"{"step":"after"}"#).status == 422)
    #expect(try fresh.act(#"{"step":"after"}"#).status == 200 && fresh.act(#"{"step":"before"}"#).status == 422)
    #expect(try sessions[1].get()["definition"] == .string(old))
    func versions() throws -> [Value] {
      let reply = try workshop.send("GET", "/v1/apps/note/versions", as: key)
      guard case .array(let versions)? = reply["versions"] else { throw Workshop.NoSession(reply: reply) }
      return versions
    }
    #expect(try versions().map { $0["definition"] } == [.string(old), .string(new)])
    #expect(try versions().map { $0["sessions"] } == [3, 1] && versions().map { $0["current"] } == [false, true])
    #expect(try versions().map { $0["by"] } == ["operator", "operator"])
    #expect(try workshop.send("DELETE", "/v1/sessions/\(sessions[2].id)", as: key).status == 204)
    #expect(try versions().map { $0["sessions"] } == [2, 1])
    _ = try put(workshop, Self.app(step: "before"))
    #expect(try versions().map { $0["definition"] } == [.string(new), .string(old)], "by when it was served last")
    #expect(try workshop.send("GET", "/v1/apps/nobody/versions", as: key).status == 404)
  }

  @Test func `the current and earlier definitions of an app can be read`() throws {
    let workshop = try Workshop()
    let old = hash(try put(workshop, Self.app(step: "before")))
    let new = hash(try put(workshop, Self.app(step: "after")))
    let now = try workshop.send("GET", "/v1/apps/note")
    #expect(now["definition"] == .string(new) && now.headers["etag"] == "\"\(new)\"")
    #expect(try workshop.send("GET", "/v1/apps/note", headers: [("If-None-Match", "\"\(new)\"")]).status == 304)
    #expect(try workshop.send("GET", "/v1/apps/note", headers: [("If-None-Match", "\"\(old)\"")]).status == 200)
    let before = try workshop.send("GET", "/v1/apps/note?definition=\(old)")
    #expect(before["definition"] == .string(old) && before.text.contains("\"before\"") && !before.text.contains("\"after\""))
    #expect(try workshop.send("GET", "/v1/apps/note?definition=\(String(repeating: "0", count: 64))").status == 404)
    #expect(try workshop.send("GET", "/v1/apps/lab?definition=\(old)").code == "not-found", "it is another app's")
    #expect(try workshop.send("GET", "/v1/apps/note?definition=x").places == ["?definition"])
  }

  @Test func `the log of a put contains its author but not its text`() throws {
    let workshop = try Workshop(operators: [OperatorKey(name: "alice", key: "the-key-of-alice")])
    _ = try workshop.send("PUT", "/v1/apps/note", Self.app(), as: "the-key-of-alice")
    #expect(workshop.service.drain(within: TestTimeout.duration))
    let line = try #require(workshop.log.all.first { $0.contains("action=put-definition") })
    #expect(line.hasPrefix("notice audit ") && line.contains("app=note") && line.contains("who=alice") && line.contains("before=none"))
    #expect(!workshop.log.all.contains { $0.contains("container") })
  }

  @Test func `a setting disables the publishing of definitions`() throws {
    let workshop = try Workshop(isWritable: false)
    let reply = try put(workshop, Self.app())
    #expect(reply.status == 405 && reply.headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try workshop.send("OPTIONS", "/v1/apps/note").headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try workshop.send("GET", "/v1/apps/lab/versions", as: key).status == 200)
  }

  @Test(.oneNode("nodes that share a journal read no folder"))
  func `an invalid file is reported by readiness and metrics until it is corrected, and the service continues`() throws {
    let workshop = try Workshop()
    let apps = Lock(FolderReading([]))
    let good = try DefinitionLoader.load(file: "f", text: Self.app())
    func look(_ version: Int, _ content: Result<LoadedDefinition, FolderReading.Unusable>, _ trigger: Publisher.Trigger = .change) throws {
      apps.withLock { $0 = FolderReading([.init("/somewhere/note.yaml", version: version, content)]) }
      if trigger == .start { return try workshop.service.publisher.begin("/somewhere") { apps.withLock { $0 } } }
      workshop.service.publisher.read(trigger)
      workshop.service.publisher.wait()
    }
    func ready(_ port: Int) throws -> String { try Wire.send(port, "GET", "/readyz").text }
    try look(1, .success(good), .start)
    #expect(try ready(workshop.port).contains("[+]definitions ok\n"))
    try look(2, .failure(.init(["/somewhere/note.yaml:3:1: error: a word", "/somewhere/note.yaml:4:1: error: another"])))
    let told = try workshop.send("GET", "/readyz")
    #expect(
      told.status == 200
        && told.text.contains("[+]definitions ok: invalid files, whose previous definitions are still served: note.yaml\n"))
    #expect(try ready(workshop.admin.port).contains("note.yaml:3:1: error: a word"))
    #expect(try workshop.send("GET", "/metrics").text.contains("\ncairn_definitions_broken 1\n"))
    #expect(try workshop.session("note").created.status == 201)
    func problems() -> Int { workshop.log.all.count { $0.hasPrefix("error definition problem=/somewhere/note.yaml:") } }
    #expect(problems() == 2)
    try look(2, .failure(.init(["/somewhere/note.yaml:3:1: error: a word", "/somewhere/note.yaml:4:1: error: another"])))
    #expect(problems() == 2, "what is as it was is not told again")
    try look(2, .failure(.init(["/somewhere/note.yaml:3:1: error: a word", "/somewhere/note.yaml:4:1: error: another"])), .signal)
    #expect(problems() == 4, "unless somebody asks")
    #expect(workshop.log.all.contains { $0.hasPrefix("notice definitions read broken=1 changed=nothing") })
    try look(3, .success(good))
    #expect(try ready(workshop.port).contains("[+]definitions ok\n"))
    #expect(workshop.log.all.contains("notice definition corrected file=/somewhere/note.yaml"))
  }
}
