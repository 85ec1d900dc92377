import CairnCore
import CairnServer
import CairnTesting
import Testing

/// A client that was offline saw a question. Its answer arrives at a service that has not asked the question.
@Suite(.tags(.timing), .ownThreads) struct `Answers to questions that a replay did not ask` {
  private static let client = "client-of-twenty-two-x"
  private static let app = """
    {"app":"asking","language":1,"root":"main","facts":{"dirty":{"type":"boolean","default":true,"by":"client"}},
     "screens":{"home":{"emits":["opened"]},"page":{"emits":["opened","stayed"]},"sure":{"emits":["discarded","stayed"]}},
     "flows":{"main":{"stack":"home","handle":{
       "opened":{"push":"page","guard":{"when":{"fact":"dirty"},"ask":"asked"}},
       "asked":{"present":"sure","style":"alert"},"discarded":"proceed","stayed":[]}}}}
    """
  private let session: Driven

  init() throws {
    let workshop = try Workshop()
    _ = try workshop.put(definition: Self.app, of: "asking")
    session = try workshop.session("asking")
    _ = try session.act(#"{"step":"opened"}"#)
  }

  private func post(_ first: Int, _ actions: String...) throws -> [Value] {
    let body = #"{"client":"\#(Self.client)","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#
    guard case .array(let answers)? = try session.post("actions", body)["answers"] else { return [] }
    return answers
  }

  private let discarded = #"{"step":"discarded","from":{"action":41,"node":0}}"#

  @Test func `where the guard asks too, Back and its answer run`() throws {
    let answers = try post(41, #"{"type":"back"}"#, discarded)
    #expect(answers.map { $0["outcome"] } == ["performed", "performed"] && answers.first?["reason"] == "guarded")
    #expect(try session.get().routes == ["home"])
  }

  @Test func `where the condition no longer holds, Back runs at once, and its answer changes nothing`() throws {
    _ = try session.act(#"{"type":"facts","set":{"dirty":false}}"#)
    let answers = try post(41, #"{"type":"back"}"#, discarded)
    #expect(answers.map { $0["outcome"] } == ["performed", "unchanged"] && answers.last?["reason"] == "nothing-asked")
    #expect(try session.get().routes == ["home"])
  }

  @Test func `the same in two requests`() throws {
    _ = try session.act(#"{"type":"facts","set":{"dirty":false}}"#)
    _ = try post(41, #"{"type":"back"}"#)
    #expect(try post(42, discarded).map { $0["reason"] } == ["nothing-asked"])
  }

  @Test func `a step that answers no guard is refused`() throws {
    _ = try session.act(#"{"type":"facts","set":{"dirty":false}}"#)
    let answers = try post(41, #"{"type":"back"}"#, #"{"step":"opened","from":{"action":41,"node":0}}"#)
    #expect(answers.last?["error"]?["code"] == "dismissed")
  }
}
