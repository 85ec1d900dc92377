import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// Numbered actions with the revision that their user saw.
@Suite(.tags(.timing), .ownThreads) struct `Numbered actions of a user who has not seen everything` {
  private static let client = "client-of-twenty-two-x"
  private static let app = """
    app: seen
    language: 1
    root: main
    screens: { form: { emits: [sent, noteOpened] }, done: , note: , alarm: { emits: [closed] }, lock: }
    steps: { raised: { by: operator }, locked: { by: operator } }
    flows:
      main:
        stack: form
        handle:
          sent: { push: done }
          noteOpened: { present: note, of: screen }
          raised: { present: alarm }
          closed: dismiss
          locked: { present: lock, level: 9, sealed: true }
    """

  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop()
    #expect(try workshop.send("PUT", "/v1/apps/seen", Self.app, as: Workshop.operatorKey, type: "application/yaml").status == 201)
    session = try workshop.session("seen")
  }

  private func post(_ first: Int, _ actions: String..., client: String = client) throws -> Reply {
    try session.post("actions", #"{"client":"\#(client)","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#)
  }

  private func raise(_ step: String) throws { #expect(try session.act(#"{"step":"\#(step)"}"#, as: Workshop.operatorKey).status == 200) }

  private func words(_ reply: Reply) -> [String] {
    guard case .array(let answers)? = reply["answers"] else { return ["status \(reply.status): \(reply.text)"] }
    return answers.map { answer in
      if case .string(let word)? = answer["outcome"] { return word }
      if case .string(let code)? = answer["error"]?["code"] { return code }
      return "\(answer)"
    }
  }

  /// The session's tree as a text, such as `main[form, done] ^ alarm`.
  private func sketch(_ query: String = "") throws -> String { Self.sketch(try session.get(query)["tree"]) }

  private static func sketch(_ node: Value?) -> String {
    guard let node, case .string(let name)? = node["name"] else { return "?" }
    var text = name
    if case .array(let children)? = node["children"] { text += "[\(children.map { sketch($0) }.joined(separator: ", "))]" }
    if let modal = node["presented"] { text += " ^ \(sketch(modal))" }
    if case .array(let levels)? = node["levels"] {
      for modal in levels {
        if case .integer(let level)? = modal["level"] { text += " ^\(level) \(sketch(modal))" }
      }
    }
    return text
  }

  private func sent(_ seen: Int? = nil) -> String { #"{"step":"sent","from":"n2"\#(seen.map { #","seen":\#($0)"# } ?? "")}"# }

  @Test func `run under what came later, which is on top again`() throws {
    try raise("raised")
    #expect(try words(post(1, sent())) == ["hidden"])
    #expect(try words(post(2, sent(2))) == ["hidden"])
    #expect(try words(post(3, sent(1))) == ["performed"])
    #expect(try sketch() == "main[form, done] ^ alarm")
  }

  @Test func `present their modal behind one that came later, which gets a higher order in the tree and in the changes`() throws {
    try raise("raised")
    let reply = try post(1, #"{"step":"noteOpened","from":"n2","seen":1}"#)
    #expect(words(reply) == ["performed"], "\(reply.text)")
    #expect(reply.text.contains(#"{"op":"dismiss","node":"n3"}"#) && reply.text.contains(#""order":5"#), "\(reply.text)")
    let whole = try session.get()
    #expect(whole["visible"]?["screen"] == "alarm" && whole["tree"]?["presented"]?["order"] == 5, "\(whole.text)")
  }

  @Test func `do not reach what is under a sealed modal`() throws {
    try raise("locked")
    #expect(try words(post(1, sent(1), #"{"type":"back","from":"n2","seen":1}"#)) == ["hidden", "hidden"])
    #expect(try sketch() == "main[form] ^9 lock")
  }

  @Test func `run in one request like in several, whatever comes between the requests`() throws {
    try raise("raised")
    #expect(try words(post(1, sent(1), #"{"type":"back","from":{"action":1,"node":0},"seen":1}"#)) == ["performed", "performed"])
    #expect(try sketch() == "main[form] ^ alarm")
    #expect(try words(post(3, sent(1))) == ["performed"])
    #expect(try words(post(3, sent(1))) == ["performed"], "a repetition gets the stored response")
    #expect(try sketch() == "main[form, done] ^ alarm")
  }

  @Test func `are in the history as they ran, and the session is the same when it is read again`() throws {
    try raise("raised")
    _ = try post(1, sent(1))
    let revision = try #require(try session.get().revision)
    #expect(try sketch("?revision=\(revision)") == "main[form, done] ^ alarm")
    #expect(try session.get("/history?after=1").status == 200)
  }

  @Test func `that another client has put on top are lifted too`() throws {
    #expect(try words(post(1, sent(1), client: "another-client-of-22-x")) == ["performed"])
    #expect(try words(post(1, sent(1))) == ["performed"])
    #expect(try sketch() == "main[form, done, done]")
  }

  @Test(arguments: ["0", "-1", "\"1\"", "1.5"]) func `need a revision as seen`(seen: String) throws {
    let reply = try post(1, #"{"step":"sent","seen":\#(seen)}"#)
    #expect(reply.status == 422 && reply.text.contains("/actions/0/seen"), "\(reply.text)")
  }

  @Test func `and others have no seen`() throws {
    #expect(try session.post("actions", #"{"step":"sent","seen":1}"#).status == 422)
  }
}
