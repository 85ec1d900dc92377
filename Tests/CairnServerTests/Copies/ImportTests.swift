import CairnCrypto
import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Exporting and importing a session` {
  private static let key = Data(repeating: 7, count: 32).base64EncodedString()

  /// A session with a label, a timer and two screens.
  private func session(_ workshop: Workshop, _ more: String = "") throws -> Driven {
    let session = try workshop.session("lab", #","label":"a"\#(more)"#, as: Workshop.operatorKey)
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.act(#"{"type":"facts","set":{"count":3}}"#, as: Workshop.operatorKey)
    _ = try session.act(#"{"step":"go","params":{"n":4}}"#)
    return session
  }

  /// The members of a session's body that an import keeps.
  private func kept(_ reply: Reply) -> [Value?] {
    ["revision", "label", "app", "definition", "createdAt", "updatedAt", "tree", "facts", "stack", "pending", "login"].map { reply[$0] }
  }

  @Test func `another service gets the session with all revisions and times, under a new id and secret`() throws {
    let session = try session(Workshop())
    let file = try session.export()
    #expect(file.status == 200 && file.headers["content-type"] == "application/vnd.cairn.session+jsonl")
    let other = try Workshop()
    let copy = try other.began(other.take(file.body))
    #expect(copy.id != session.id && copy.secret != session.secret && copy.created.headers["location"] == "/v1/sessions/\(copy.id)")
    #expect(try kept(copy.get()) == kept(session.get()))
    for revision in 1...4 { #expect(try kept(copy.get("?revision=\(revision)")) == kept(session.get("?revision=\(revision)"))) }
    #expect(try copy.get("/history").text == session.get("/history").text)
    #expect(try copy.get("/history?as=scenario").text.replacing(copy.id, with: session.id) == session.get("/history?as=scenario").text)
    #expect(try copy.act(#"{"step":"go","params":{"n":5}}"#).revision == 5)
    #expect(try copy.undo(to: 1).routes == ["first"])
    #expect(try other.began(other.take(copy.export().body)).get().revision == 6)
    #expect(try other.began(other.take(file.body, query: "?label=new")).get()["label"] == "new")
  }

  @Test func `a session that moved and was taken back is imported with its definitions, which the service did not know`() throws {
    let kiosk = try Kiosk()
    try kiosk.session.readTerms(2)
    _ = try kiosk.session.move(to: kiosk.new)
    _ = try kiosk.session.undo(to: 2)
    _ = try kiosk.session.move(to: kiosk.new)
    let other = try Workshop()
    let copy = try other.began(other.take(kiosk.session.export().body))
    #expect(
      try (1...5).map { try copy.get("?revision=\($0)")["definition"] }
        == [kiosk.old, kiosk.old, kiosk.new, kiosk.old, kiosk.new].map { .string($0) })
    #expect(try copy.get().pages == ["home", "conditions 2"])
    #expect(try copy.act(#"{"step":"conditionsAreRequired","params":{"number":3}}"#).pages == ["home", "conditions 2", "conditions 3"])
    let fork = try copy.fork(#"{"revision":2}"#)
    #expect(try fork.get()["definition"] == .string(kiosk.old) && fork.readTerms(3).pages == ["home", "terms 2", "terms 3"])
  }

  @Test func `a long history is imported in several commits, whole and with its beginning`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    let pair = #"{"step":"go","params":{"n":1}},{"type":"pop"}"#
    for _ in 0..<24 { _ = try session.act("[\(Array(repeating: pair, count: 50).joined(separator: ","))]") }
    let copy = try workshop.began(workshop.take(session.export().body))
    #expect(try kept(copy.get()) == kept(session.get()) && copy.get().revision == 2_404)
    for revision in [1, 256, 1_023, 1_024, 1_025, 2_047, 2_404] {
      #expect(try kept(copy.get("?revision=\(revision)")) == kept(session.get("?revision=\(revision)")))
    }
    #expect(try copy.export().text.split(separator: "\n").count == session.export().text.split(separator: "\n").count)
    #expect(try session.post("forget", #"{"before":300}"#, as: Workshop.operatorKey)["firstRevision"] == 300)
    let rest = try workshop.began(workshop.take(session.export().body))
    #expect(try rest.get("?revision=299").code == "history-gone" && kept(rest.get("?revision=300")) == kept(session.get("?revision=300")))
    #expect(try kept(rest.get()) == kept(session.get()) && rest.act(#"{"step":"go","params":{"n":5}}"#).revision == 2_405)
  }

  @Test func `of a forgotten history the file has what is left, and the copy begins there`() throws {
    let session = try session(Workshop())
    #expect(try session.post("forget", #"{"before":3}"#, as: Workshop.operatorKey)["firstRevision"] == 3)
    let other = try Workshop()
    let copy = try other.began(other.take(session.export().body))
    #expect(try kept(copy.get()) == kept(session.get()))
    #expect(try kept(copy.get("?revision=3")) == kept(session.get("?revision=3")))
    #expect(try copy.get("/history").text == session.get("/history").text)
    #expect(try copy.get("?revision=2").code == "history-gone" && copy.get("?revision=2")["firstRevision"] == 3)
    #expect(try copy.act(#"{"step":"go","params":{"n":5}}"#).revision == 5)
    // Only the newest state remains.
    _ = try copy.post("forget", "{}", as: Workshop.operatorKey)
    let last = try other.began(other.take(copy.export().body))
    #expect(try last.get()["revision"] == 5 && last.get("/history")["entries"] == [])
    #expect(try last.act(#"{"type":"pop"}"#).revision == 6 && kept(last.get("?revision=5")) == kept(copy.get("?revision=5")))
  }

  @Test func `secrets are in the file only for a key, and only that key opens them`() throws {
    let workshop = try Workshop()
    let session = try session(workshop, #","accessToken":"a-secret-token""#)
    #expect(try session.get()["login", "status"] == "loggedIn")
    let (bare, sealed) = (try session.export().text, try session.export(key: Self.key))
    #expect(
      !bare.contains("a-secret-token") && !bare.contains("\"box\"") && !sealed.text.contains("a-secret-token")
        && sealed.text.contains("\"box\""))
    let whole = try workshop.began(workshop.take(sealed.body, key: Self.key))
    #expect(try whole.get()["login", "status"] == "loggedIn" && whole.get().revision == 4)
    #expect(try whole.export(key: Self.key).text.contains("\"box\""))
    // Without the key, or without secrets in the file, the import adds an entry that removes the token and the login.
    for file in [Array(bare.utf8), sealed.body] {
      let copy = try workshop.began(workshop.take(file))
      let now = try copy.get()
      #expect(now["login", "status"] == "loggedOut" && now.revision == 5)
      #expect(try session.get()["tree"] == now["tree"])
      #expect(try copy.entries().last?["cause"] == ["type": "imported", "session": .string(session.id)])
    }
    let wrong = try workshop.take(sealed.body, key: Data(repeating: 8, count: 32).base64EncodedString())
    #expect(wrong.status == 422 && wrong.code == "invalid-session-file" && wrong.text.contains("another key"))
    for key in ["", "x", Data(repeating: 7, count: 31).base64EncodedString()] {
      #expect(try session.export(key: key).code == "invalid" && workshop.take(sealed.body, key: key).code == "bad-request")
    }
  }

  @Test func `a file that is not whole, not of this form or not true is refused, and nothing of it is kept`() throws {
    let workshop = try Workshop()
    let session = try session(workshop)
    let text = try session.export().text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func count() throws -> Int {
      guard case .array(let sessions)? = try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey)["sessions"] else { return 0 }
      return sessions.count
    }
    /// The file with changed lines and the SHA-256 of these lines.
    func forged(_ change: (inout [String]) -> Void) -> String {
      var changed = Array(lines.dropLast(2))
      change(&changed)
      let body = changed.map { $0 + "\n" }.joined()
      let digest = Hexadecimal.text(of: SHA256.hash(body))
      return body + #"{"end":4,"sha256":"\#(digest)"}"# + "\n"
    }
    let before = try count()
    let bad: [(file: String, reason: String)] = [
      ("", "not a session file"), ("{}\n", "not a session file"), ("no JSON\n", "not a session file"),
      (String(text.dropLast()), "truncated"), (String(text.prefix(text.count / 2)), "truncated"),
      (lines.dropLast(2).map { $0 + "\n" }.joined(), "truncated"),
      (text.replacing("\"n\":2", with: "\"n\":3"), "SHA-256"),
      (forged { $0[0] = $0[0].replacing("\"format\":2", with: "\"format\":3") }, "import it with a newer version"),
      (forged { $0[0] = $0[0].replacing("\"format\":2", with: "\"format\":1") }, "import it with the version that exported it"),
      (forged { $0[0] = $0[0].replacing("\"app\":\"lab\"", with: "\"app\":\"bal\"") }, "the definition is of the app lab"),
      (forged { $0[2] = $0[2].replacing("lab", with: "bal") }, "has the hash"),
      (forged { $0[3] = $0[3].replacing("\"engine\":\(Reducer.engine)", with: "\"engine\":\(Reducer.engine + 1)") }, "newer version"),
      (forged { $0.removeSubrange(6...8) }, "entry 2 is missing"),
      (forged { $0[7] = $0[7].replacing("\"n\":2", with: "\"n\":3") }, "the stored difference leads to another state than the action"),
      (forged { $0.removeLast(2) }, "newest state is missing"),
      (
        forged { $0[$0.count - 1] = $0[$0.count - 1].replacing("\"count\":3", with: "\"count\":4") },
        "differs from the state that its entries produce"
      ),
      (forged { $0.insert("{\"what\":1}", at: 6) }, "line 7"),
    ]
    for (file, reason) in bad {
      let reply = try workshop.take(Array(file.utf8))
      #expect(reply.status == 422 && reply.code == "invalid-session-file" && reply.text.contains(reason), "\(reason): \(reply.text)")
    }
    #expect(try workshop.take(Array(text.utf8), type: "application/json").code == "unsupported-media-type")
    #expect(try workshop.take(Array(text.utf8), query: "?label=\(String(repeating: "x", count: 201))").code == "invalid")
    #expect(try count() == before)
    #expect(try workshop.take(Array(forged { _ in }.utf8)).status == 201, "the forged end alone is no reason")
  }

  @Test func `an import under an idempotency key is one session`() throws {
    let workshop = try Workshop()
    let file = try session(workshop).export().body
    let headers = [("Idempotency-Key", "7b0c3f5e-63f0-4b36-9c3e-0d9a9f7a5b11")]
    let first = try workshop.take(file, headers: headers)
    let again = try workshop.take(file, headers: headers)
    #expect(first.status == 201 && again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try workshop.take(file, query: "?label=b", headers: headers).code == "idempotency-key-reused")
    let session = try workshop.began(first)
    #expect(try session.fork("{}", headers: [("Idempotency-Key", "2f0c3f5e-63f0-4b36-9c3e-0d9a9f7a5b12")]).id != session.id)
  }

  @Test func `files may be longer than other bodies, for an operator only, and not longer than the setting`() throws {
    let workshop = try Workshop(sessionFile: 400 << 10)
    let session = try workshop.session("lab")
    let long = String(repeating: "x", count: 20_000)
    for index in 0..<5 {
      _ = try session.act(#"{"type":"push","screen":"long","params":{"text":"\#(index)\#(long)"}}"#, as: Workshop.operatorKey)
    }
    let file = try session.export()
    #expect(file.status == 200 && file.body.count > 100 << 10)
    #expect(try workshop.take(file.body).status == 201)
    #expect(try workshop.take(file.body, as: session.secret).code == "payload-too-large")
    for index in 5..<10 {
      _ = try session.act(#"{"type":"push","screen":"long","params":{"text":"\#(index)\#(long)"}}"#, as: Workshop.operatorKey)
    }
    let refused = try session.export()
    #expect(refused.status == 409 && refused.code == "session-too-large" && refused.text.contains("sessionFile"))
  }
}

extension Reply {
  /// The body's bytes, which are text.
  fileprivate var body: [UInt8] { Array(text.utf8) }
}

extension Driven {
  /// Exports the session as an operator.
  func export(key: String? = nil) throws -> Reply {
    try post("export", key.map { #"{"key":"\#($0)"}"# } ?? "{}", as: Workshop.operatorKey)
  }
}

extension Workshop {
  /// Imports a file.
  func take(
    _ file: [UInt8], query: String = "", key: String? = nil, as secret: String = Workshop.operatorKey,
    type: String = "application/vnd.cairn.session+jsonl", headers: [(String, String)] = []
  ) throws -> Reply {
    let more = key.map { [("Session-File-Key", $0)] } ?? []
    return try Wire.send(
      port, "POST", "/v1/sessions/import\(query)",
      headers: [("Authorization", "Bearer \(secret)"), ("Content-Type", type)] + more + headers, body: file)
  }
}
