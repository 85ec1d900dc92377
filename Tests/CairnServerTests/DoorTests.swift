import CairnCore
import CairnDefinition
import CairnHTTP
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

/// Data from outside passes the same checks, whichever endpoint receives it.
@Suite(.tags(.timing), .ownThreads) struct `Input from outside` {
  /// The kinds of data that an endpoint may receive: a definition, the state of a session, a label, the name of an author, or a token.
  private enum Good: Hashable { case definition, state, label, author, token }

  /// The kinds of data that each writing endpoint receives, by its id.
  private static let brought: [String: Set<Good>] = [
    "putApp": [.definition], "putMigration": [], "startRollout": [.definition], "changeRollout": [.definition],
    "startSession": [.label, .token], "forkSession": [.label], "importSession": [.definition, .state, .label, .author, .token],
    "postActions": [.token], "openLink": [], "postNotification": [], "predict": [], "migrateSession": [], "undo": [], "forget": [],
    "exportSession": [], "sellTicket": [], "sellTicketForAll": [], "endSessions": [], "endSession": [],
  ]

  @Test func `every endpoint that is not only read from says what it brings in`() {
    let endpoints = Endpoint.all.filter { $0.method != .get && $0.method != .head }
    #expect(Set(endpoints.map(\.id)) == Set(Self.brought.keys))
    #expect(
      Set(Self.brought.filter { $0.value.contains(.definition) }.keys) == ["putApp", "startRollout", "changeRollout", "importSession"])
  }

  private static func timer(_ every: String) -> String {
    """
    app: fast
    language: 1
    compat: { emits: any }
    root: { flow: main, start: go }
    screens: { home: }
    steps: { go: , tick: }
    flows:
      main:
        stack: home
        handle: { go: { timer: { every: \(every), send: tick }, of: flow }, tick: { push: home } }
    """
  }

  /// A session's file from another service, which has other limits for definitions.
  private func file(_ text: String) throws -> [UInt8] {
    let other = try Workshop(definitions: .none)
    _ = try other.put(definition: text, of: "fast")
    return Array(try other.session("fast").export().text.utf8)
  }

  private func count(_ workshop: Workshop) throws -> Int {
    guard case .array(let all)? = try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey)["sessions"] else { return -1 }
    return all.count
  }

  @Test func `where only the folder gives definitions, an import with a new one is refused, and nothing is kept or run`() throws {
    let file = try file(Self.timer("1h"))
    let workshop = try Workshop(isWritable: false)
    let reply = try workshop.take(file)
    #expect(reply.status == 422 && reply.code == "invalid-session-file" && reply.text.contains("appsWritable"))
    #expect(try count(workshop) == 0)
    // A file with a definition that the service already has is accepted.
    let known = try Workshop(isWritable: false)
    #expect(try known.take(Array(known.session("lab").export().text.utf8)).status == 201)
  }

  @Test func `where only the folder gives definitions, a rollout to one that was never served is refused`() throws {
    let workshop = try Workshop(isWritable: false)
    let served = try workshop.send("GET", "/v1/apps/lab").headers["etag"]
    // The definition was stored before the setting was changed.
    let new = try DefinitionLoader.check(file: "lab", text: Workshop.lab.replacing("10s", with: "20s"))
    let stored: Result<Void, StoreFault> = try awaiting { reply in
      workshop.store.releases.publish([], texts: [new.hash: new.canonical], after: [:], reply: reply)
    }
    try stored.get()
    let reply = try workshop.send("POST", "/v1/apps/lab/rollouts", #"{"to":"\#(new.hash)"}"#, as: Workshop.operatorKey)
    #expect(reply.status == 422 && reply.code == "invalid-definition" && reply.text.contains("appsWritable"))
    #expect(try workshop.send("GET", "/v1/apps/lab").headers["etag"] == served)
  }

  @Test func `a timer that is too short for a put is too short for an import`() throws {
    let workshop = try Workshop()
    let put = try workshop.send("PUT", "/v1/apps/fast", Self.timer("1ms"), as: Workshop.operatorKey, type: "application/yaml")
    #expect(put.code == "invalid-definition" && put.text.contains("at least 100ms"))
    let reply = try workshop.take(file(Self.timer("1ms")))
    #expect(reply.code == "invalid-session-file" && reply.text.contains("at least 100ms"))
    #expect(try count(workshop) == 0)
  }

  @Test func `an import is logged with its author and both hashes`() throws {
    let workshop = try Workshop()
    let file = try file(Self.timer("1h"))
    let session = try workshop.began(workshop.take(file))
    let hash = try #require(session.get()["definition"]?.word)
    let line = try #require(workshop.log.all.first { $0.contains("action=import-session") })
    for word in ["app=fast", "before=none", "definition=\(hash)", "session=\(session.id)", "who=operator"] {
      #expect(line.contains(word), "\(line)")
    }
  }

  @Test func `a label, an author, a request and a session's name of a file are checked as those of a request`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","label":"a""#, as: Workshop.operatorKey)
    _ = try session.act(#"{"type":"facts","set":{"count":3}}"#, as: Workshop.operatorKey, headers: [("X-Request-Id", "r-1")])
    let file = try session.export().text
    let long = String(repeating: "x", count: 201)
    let bad: [(what: String, text: String, instead: String)] = [
      ("a long label", #""label":"a""#, #""label":"\#(long)""#), ("a line feed", #""label":"a""#, #""label":"a\nb""#),
      ("an escape", #""label":"a""#, #""label":"\u001b[2J""#), ("an author", #""by":"operator""#, #""by":"root\nadmin""#),
      ("a long author", #""by":"operator""#, #""by":"\#(long)""#), ("a request", #""request":"r-1""#, #""request":"r 1""#),
      ("a session", session.id, "s0"),
    ]
    for (what, text, instead) in bad {
      #expect(file.contains(text), "\(what)")
      let reply = try workshop.take(ForgedFile(file.replacing(text, with: instead)).bytes)
      #expect(reply.status == 422 && reply.code == "invalid-session-file", "\(what): \(reply.text)")
    }
    #expect(try count(workshop) == 1)
  }

  @Test func `an entry of an older engine must lead to the state that the file has`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let old = try session.export().text.replacing("\"engine\":\(Reducer.engine)", with: "\"engine\":1")
    #expect(try workshop.take(ForgedFile(old).bytes).status == 201)
    let wrong = old.replacing(#""q":{"n":2}"#, with: #""q":{"n":3}"#)
    #expect(wrong != old)
    let reply = try workshop.take(ForgedFile(wrong).bytes)
    #expect(reply.code == "invalid-session-file" && reply.text.contains("the stored difference leads to another state than the action"))
  }
}
