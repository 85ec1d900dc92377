import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Numbered actions` {
  private static let client = "client-of-twenty-two-x"
  private let clock = ManualClock()
  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop(clock: clock)
    session = try workshop.session("lab")
  }

  private func post(_ first: Int, _ actions: String..., client: String = client, as key: String? = nil) throws -> Reply {
    try session.post("actions", #"{"client":"\#(client)","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#, as: key)
  }

  private func go(_ n: Int) -> String { #"{"step":"go","params":{"n":\#(n)}}"# }

  /// The answers of a response: the outcome or the code of the problem.
  private func words(_ reply: Reply) -> [String] {
    guard case .array(let answers)? = reply["answers"] else { return ["status \(reply.status): \(reply.text)"] }
    return answers.map { answer in
      if case .string(let word)? = answer["outcome"] { return word }
      if case .string(let code)? = answer["error"]?["code"] { return code }
      return "\(answer)"
    }
  }

  private func answers(_ reply: Reply) -> [Value] {
    if case .array(let answers)? = reply["answers"] { answers } else { [] }
  }

  @Test func `each action runs on its own, and a refusal does not stop the next`() throws {
    let reply = try post(41, go(2), #"{"type":"dismiss","node":"n99"}"#, go(3), #"{"step":"nope"}"#, #"{"type":"pop"}"#)
    #expect(reply.status == 200 && words(reply) == ["performed", "invalid", "performed", "invalid", "performed"], "\(reply.text)")
    #expect(reply["revision"] == 4 && reply.headers["etag"] != nil)
    #expect(try session.get().headers["etag"] == reply.headers["etag"])
    #expect(answers(reply).map { $0["number"] } == [41, 42, 43, 44, 45])
    #expect(answers(reply).compactMap { $0["revision"] } == [2, 3, 4])
    #expect(try session.get()["tree"] == reply["tree"])
    guard case .array(let entries)? = try session.get("/history?after=1")["entries"] else { throw NeverCame() }
    #expect(entries.map { $0["sender"]?["action"] } == [41, 43, 45])
    #expect(entries.allSatisfy { $0["sender"]?["client"] == .string(Self.client) })
  }

  @Test func `an event of a stream names the client and the number`() throws {
    let client = try session.listen()
    _ = try client.next()
    _ = try post(41, go(2))
    _ = try session.act(go(3))
    #expect(try client.next(2).map { $0.json["sender"] } == [["action": 41, "client": .string(Self.client)], nil])
  }

  @Test func `a repeat runs nothing, and gets the kept responses beside the new ones`() throws {
    let first = try post(1, go(2), go(3), #"{"type":"dismiss","node":"n99"}"#)
    let again = try post(2, go(3), #"{"type":"dismiss","node":"n99"}"#, go(4))
    #expect(Array(answers(again).prefix(2)) == Array(answers(first).suffix(2)) && words(again).last == "performed")
    #expect(again["revision"] == 4)
    #expect(try post(1, go(2), go(3)).text.contains(#""revision":4"#))
    #expect(try session.get().revision == 4)
  }

  @Test func `a number of which the response has expired is known, and does not run`() throws {
    _ = try post(1, go(2), go(3))
    clock.advance(by: 86_400_001)
    let late = try post(1, go(2), go(3), go(4))
    #expect(words(late) == ["known", "known", "performed"] && late["revision"] == 4)
    #expect(answers(late).first?["revision"] == 4, "the revision of the session, which contains the action")
  }

  @Test func `an action with a value that is nested as deeply as a request may be has an answer, and its nodes a name`() throws {
    let deep = String(repeating: "[", count: 58) + String(repeating: "]", count: 58)
    let reply = try post(1, #"{"type":"push","screen":"anything","params":{"value":\#(deep)}}"#, go(2), as: Workshop.operatorKey)
    #expect(words(reply) == ["performed", "performed"], "\(reply.text)")
    #expect(words(try post(3, #"{"type":"popTo","node":{"action":1,"node":0}}"#)) == ["performed"])
  }

  @Test func `of a client that was never seen every number runs, and another client's numbers are its own`() throws {
    _ = try post(7, go(2))
    #expect(words(try post(7, go(2), client: "another-of-twenty-two-x")) == ["performed"])
    #expect(words(try post(3, go(2))) == ["known"], "a lower number than the highest")
    #expect(try session.get().revision == 3)
  }

  @Test func `eight clients are kept, and the one that has not acted for the longest time is dropped`() throws {
    let clients = (1...9).map { "client-of-twenty-two-x\($0)" }
    for client in clients.prefix(8) { _ = try post(5, go(2), client: client) }
    _ = try post(6, go(2), client: clients[0])
    _ = try post(5, go(2), client: clients[8])
    clock.advance(by: 86_400_001)
    #expect(words(try post(5, go(3), client: clients[0])) == ["known"])
    #expect(words(try post(5, go(3), client: clients[2])) == ["known"])
    #expect(words(try post(5, go(3), client: clients[1])) == ["performed"], "it was dropped")
  }

  @Test func `an action can name a node that an earlier action creates, in the same request or in a later one`() throws {
    let reply = try post(1, go(2), #"{"step":"go","params":{"n":3},"from":{"action":1,"node":0}}"#)
    #expect(words(reply) == ["performed", "performed"], "\(reply.text)")
    guard case .array(let created)? = answers(reply).first?["created"] else { throw NeverCame() }
    #expect(created.count == 1)
    let later = try post(3, #"{"type":"popTo","node":{"action":1,"node":0}}"#)
    #expect(words(later) == ["performed"] && later.routes == ["first", "second"])
    guard case .array(let entries)? = try session.get("/history?after=2")["entries"] else { throw NeverCame() }
    #expect(entries.map { $0["action"]?["from"] ?? $0["action"]?["node"] } == [created[0], created[0]])
  }

  @Test func `an action can name a node of an earlier one whose response has expired`() throws {
    _ = try session.act(go(9))
    _ = try post(1, #"{"type":"dismiss","node":"n99"}"#, go(2))
    _ = try session.act(go(8))
    clock.advance(by: 86_400_001)
    let late = try post(
      2, go(2), #"{"type":"popTo","node":{"action":2,"node":0}}"#, #"{"type":"popTo","node":{"action":2,"node":1}}"#,
      #"{"type":"popTo","node":{"action":1,"node":0}}"#)
    #expect(words(late) == ["known", "performed", "dismissed", "dismissed"], "\(late.text)")
    #expect(late.routes == ["first", "second", "second"], "that of number 2, and not the later one")
    // Once the entry of action 2 is forgotten, the node that the action created is unknown.
    _ = try session.act(go(7))
    let forgotten = try session.post("forget", #"{"before":5}"#, as: Workshop.operatorKey)
    #expect(forgotten.status == 200, "\(forgotten.text)")
    #expect(words(try post(6, #"{"type":"popTo","node":{"action":2,"node":0}}"#)) == ["dismissed"])
  }

  @Test func `actions that name nodes of expired responses are bounded in one request, and the others run in the next one`() throws {
    _ = try post(1, go(1), go(2), go(3), go(4), go(5), go(6), go(7), go(8), go(9), go(10), go(11), go(12))
    clock.advance(by: 86_400_001)
    let pops = (1...12).reversed().map { #"{"type":"popTo","node":{"action":\#($0),"node":0}}"# }
    let first = try post(13, pops.joined(separator: ","))
    #expect(words(first).allSatisfy { ["performed", "unchanged", "overloaded"].contains($0) }, "\(first.text)")
    let done = words(first).prefix { $0 != "overloaded" }.count
    #expect((8...9).contains(done) && words(first).dropFirst(done).allSatisfy { $0 == "overloaded" }, "\(words(first))")
    let second = try post(13 + done, pops.dropFirst(done).joined(separator: ","))
    #expect(words(second).allSatisfy { $0 == "performed" } && second.routes == ["first", "second"], "\(second.text)")
  }

  @Test func `a node that was not created is refused as dismissed`() throws {
    let reply = try post(
      1, #"{"type":"dismiss","node":"n99"}"#, #"{"step":"go","params":{"n":3},"from":{"action":1,"node":0}}"#, go(2),
      #"{"type":"popTo","node":{"action":3,"node":1}}"#, #"{"type":"pop","node":{"action":3,"node":0}}"#)
    #expect(words(reply) == ["invalid", "dismissed", "performed", "dismissed", "performed"], "\(reply.text)")
  }

  @Test func `another action under a number that was used is rejected, and the next one runs`() throws {
    _ = try post(1, go(2))
    let reply = try post(1, go(3), go(4))
    #expect(words(reply) == ["idempotency-key-reused", "performed"] && reply["revision"] == 3)
  }

  @Test func `an action for operators is rejected by itself`() throws {
    let reply = try post(1, #"{"type":"facts","set":{"count":3}}"#, go(2))
    #expect(words(reply) == ["operator-only", "performed"], "\(reply.text)")
    #expect(answers(try post(1, #"{"type":"facts","set":{"count":3}}"#, go(2))) == answers(reply))
    let own = try post(1, #"{"type":"facts","set":{"count":3}}"#, client: "operator-of-twenty-two", as: Workshop.operatorKey)
    #expect(words(own) == ["performed"])
  }

  @Test(arguments: [
    (#"{"client":"short","first":1,"actions":[{"type":"back"}]}"#, 422, "#/client"),
    (#"{"client":"client-of-twenty-two-x","first":0,"actions":[{"type":"back"}]}"#, 422, "#/first"),
    (#"{"client":"client-of-twenty-two-x","first":9007199254740991,"actions":[{"type":"back"},{"type":"back"}]}"#, 422, "#/first"),
    (#"{"client":"client-of-twenty-two-x","first":1,"actions":[]}"#, 422, "#/actions"),
    (#"{"client":"client-of-twenty-two-x","first":1,"actions":[{"type":"back"},{"type":"bak"}]}"#, 422, "#/actions/1/type"),
    (#"{"client":"client-of-twenty-two-x","first":1,"actions":[7]}"#, 422, "#/actions/0"),
    (
      #"{"client":"client-of-twenty-two-x","first":2,"actions":[{"type":"dismiss","node":{"action":2,"node":0}}]}"#, 422,
      "must refer to an earlier action"
    ),
    (#"{"client":"client-of-twenty-two-x","first":2,"actions":[{"type":"dismiss","node":{"action":1}}]}"#, 422, "#/actions/0/node/node"),
    (
      #"{"client":"client-of-twenty-two-x","first":2,"actions":[{"type":"dismiss","node":{"action":1,"node":0,"x":1}}]}"#, 422,
      "#/actions/0/node/x"
    ),
    (#"{"client":"client-of-twenty-two-x","actions":[{"type":"back"}]}"#, 422, "#/first"),
    (#"{"client":"client-of-twenty-two-x","first":1,"actions":[{"type":"back"}],"x":1}"#, 422, "#/x"),
  ])
  func `a wrong body runs nothing`(body: String, status: Int, said: String) throws {
    let reply = try session.post("actions", body)
    #expect(reply.status == status && reply.text.contains(said), "\(reply.text)")
    #expect(try session.get().revision == 1)
  }

  @Test func `numbered actions have no plan, no If-Match and no Idempotency-Key, and are at most 100`() throws {
    let body = #"{"client":"client-of-twenty-two-x","first":1,"actions":[\#(go(2))]}"#
    #expect(try session.post("actions?plan", body).status == 422)
    #expect(try session.act(body, headers: [("If-Match", "*")]).status == 422)
    #expect(try session.act(body, headers: [("Idempotency-Key", "a-key-of-twenty-two-letters")]).status == 422)
    let many = Array(repeating: go(2), count: 101).joined(separator: ",")
    #expect(try session.act(#"{"client":"client-of-twenty-two-x","first":1,"actions":[\#(many)]}"#).status == 422)
    #expect(try session.act(#"{"type":"dismiss","node":{"action":1,"node":0}}"#).status == 422, "only numbered actions name nodes so")
    #expect(try session.get().revision == 1)
  }

  @Test func `numbers stay after undo and forgetting, and a copy begins without them`() throws {
    _ = try post(1, go(2), go(3))
    #expect(try session.undo(to: 1).status == 200)
    #expect(try session.post("forget", "{}", as: Workshop.operatorKey).status == 200)
    #expect(words(try post(1, go(2), go(3), go(4))) == ["known", "known", "performed"])
    let copy = try session.post("fork", "{}", as: Workshop.operatorKey)
    guard case .string(let id)? = copy["id"] ?? copy["session"]?["id"] else { throw NeverCame("an id in \(copy.text)") }
    let state = try awaiting { workshop.store.session(id, reply: $0) }.get().state
    #expect(state.clients == [])
    #expect(try awaiting { workshop.store.session(session.id, reply: $0) }.get().state.clients == [Sender(client: Self.client, number: 3)])
  }

  @Test func `a minimal response has no tree, and every response names the session's revision`() throws {
    let reply = try session.act(
      #"{"client":"client-of-twenty-two-x","first":1,"actions":[\#(go(2))]}"#, headers: [("Prefer", "return=minimal")])
    #expect(reply.status == 200 && reply["tree"] == nil && reply["revision"] == 2)
    #expect(reply.headers["preference-applied"] == "return=minimal")
  }
}
