import CairnCore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `A gesture that says what the user saw` {
  private let session: Driven

  init() throws {
    let workshop = try Workshop()
    session = try workshop.session("lab")
  }

  private func push(_ n: Int) throws -> NodeID {
    let reply = try session.act(#"{"step":"go","params":{"n":\#(n)},"from":"\#(try visible())"}"#)
    guard case .string(let id)? = reply["visible"]?["id"], let node = NodeID(id) else { throw NeverCame(reply.text) }
    return node
  }

  private func visible() throws -> String {
    guard case .string(let id)? = try session.get()["visible"]?["id"] else { throw NeverCame() }
    return id
  }

  @Test(arguments: [
    #"{"type":"back""#, #"{"type":"pop""#, #"{"type":"pop","count":2"#, #"{"type":"popTo","screen":"first""#, #"{"type":"popToRoot""#,
    #"{"type":"dismiss""#, #"{"type":"select","tab":0"#,
  ]) func `changes nothing if he no longer sees it, whatever the gesture is`(gesture: String) throws {
    let (below, top) = (try push(1), try push(2))
    let revision = try session.get().revision
    let hidden = try session.act(#"\#(gesture),"from":"\#(below)"}"#)
    #expect(hidden.status == 409 && hidden["code"] == "hidden", "\(hidden.text)")
    _ = try session.act(#"{"type":"pop","from":"\#(top)"}"#)
    let gone = try session.act(#"\#(gesture),"from":"\#(top)"}"#)
    #expect(gone.status == 409 && gone["code"] == "dismissed", "\(gone.text)")
    #expect(try session.get().revision == revision.map { $0 + 1 })
  }

  @Test func `is performed if he does, and its entry has it`() throws {
    let top = try push(1)
    #expect(try session.act(#"{"type":"back","from":"\#(top)"}"#)["outcome"] == "performed")
    guard case .array(let entries)? = try session.get("/history?after=2")["entries"] else { throw NeverCame() }
    #expect(entries.map { $0["action"] } == [["type": "back", "from": .string(top.description)]])
  }

  @Test(arguments: [
    (#"{"type":"back","from":"page"}"#, "/from"), (#"{"type":"back","from":7}"#, "/from"), (#"{"type":"popToRoot","from":"n99"}"#, "/from"),
    (#"{"type":"back","node":"n2"}"#, "/node"),
  ]) func `is refused as a mistake if it names no node of the session`(action: String, pointer: String) throws {
    let reply = try session.act(action)
    #expect(reply.status == 422 && reply.text.contains("\"#\(pointer)\""), "\(reply.text)")
  }

  @Test func `is refused with the numbered step that would have made its screen, and the page below stays`() throws {
    _ = try push(1)
    let before = try session.get()["tree"]
    let reply = try session.post(
      "actions",
      #"{"client":"client-of-twenty-two-x","first":1,"actions":[{"step":"nope"},{"type":"back","from":{"action":1,"node":0}}]}"#)
    guard case .array(let answers)? = reply["answers"] else { throw NeverCame(reply.text) }
    #expect(answers.map { $0["error"]?["code"] } == ["invalid", "dismissed"])
    #expect(try session.get()["tree"] == before)
  }

  @Test func `is predicted as without it`() throws {
    _ = try push(1)
    let top = try visible()
    let backs = #"{"type":"back"},{"type":"back","from":"\#(top)"},{"type":"back","from":"n2"}"#
    let asked = try session.post("predictions", #"{"actions":[\#(backs)]}"#)
    guard case .array(let answers)? = asked["predictions"] else { throw NeverCame(asked.text) }
    #expect(answers[0]["changes"] != nil && answers[0]["changes"] == answers[1]["changes"])
    #expect(answers[2]["error"]?["code"] == "hidden")
  }
}
