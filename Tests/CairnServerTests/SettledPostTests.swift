import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// Actions of an operator that wait for the session's clients, over HTTP.
@Suite(.tags(.timing), .ownThreads) struct `Actions that wait for the clients` {
  private static let client = "client-of-twenty-two-x"
  private static let app = """
    app: settled
    language: 1
    root: main
    offlineFor: 2d
    screens: { jobs: { emits: [opened] }, job: { emits: [sent] }, done: }
    steps: { withdrawn: { by: operator } }
    flows:
      main:
        stack: jobs
        handle:
          opened: { push: job }
          sent: { push: done }
          withdrawn: popToRoot
    """

  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop()
    #expect(try workshop.send("PUT", "/v1/apps/settled", Self.app, as: Workshop.operatorKey, type: "application/yaml").status == 201)
    session = try workshop.session("settled")
  }

  private func post(_ first: Int, _ actions: String...) throws -> Reply {
    try session.post("actions", #"{"client":"\#(Self.client)","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#)
  }

  private func stack() throws -> [Value?] {
    guard case .array(let stack)? = try session.get("")["stack"] else { return [] }
    return stack.map { $0["screen"] }
  }

  /// The pending items of kind `action`.
  private func held() throws -> [Value] {
    guard case .array(let items)? = try session.get("")["pending"] else { return [] }
    return items.filter { $0["kind"] == "action" }
  }

  private static let withdrawn = #"{"step":"withdrawn","deliver":"settled"}"#

  @Test func `are listed as held, and run after the contact of the client`() throws {
    #expect(try post(1, #"{"step":"opened"}"#, #"{"type":"contact"}"#).status == 200)
    let reply = try session.act(Self.withdrawn, as: Workshop.operatorKey)
    #expect(reply["outcome"] == "pending")
    let item = try #require(try held().first)
    #expect(item["held"] == "h1" && item["action"] == "step" && item["step"] == "withdrawn" && item["clients"] == 1)
    #expect(item["until"] != nil)
    #expect(try post(3, #"{"step":"sent"}"#).status == 200)
    #expect(try stack() == ["jobs", "job", "done"])
    #expect(try post(4, #"{"type":"contact"}"#).status == 200)
    #expect(try stack() == ["jobs"] && held() == [])
  }

  @Test func `are dropped by an operator, and not by the client`() throws {
    #expect(try post(1, #"{"step":"opened"}"#).status == 200)
    #expect(try session.act(Self.withdrawn, as: Workshop.operatorKey)["outcome"] == "pending")
    #expect(try session.act(#"{"type":"cancel","held":"h1"}"#).status == 403)
    #expect(try session.act(#"{"type":"cancel","held":"h1"}"#, as: Workshop.operatorKey).status == 200)
    #expect(try session.act(#"{"type":"cancel","held":"h1"}"#, as: Workshop.operatorKey)["code"] == "action-gone")
    #expect(try stack() == ["jobs", "job"] && held() == [])
  }

  @Test func `cannot be posted by a client, with a number, or without a removal`() throws {
    #expect(try session.act(#"{"type":"logout","deliver":"settled"}"#).status == 403)
    #expect(try post(1, #"{"type":"pop","deliver":"settled"}"#).status == 422)
    for action in [#"{"type":"cancel","link":"l1","deliver":"settled"}"#, #"{"type":"pop","deliver":"later"}"#] {
      #expect(try session.act(action, as: Workshop.operatorKey).status == 422)
    }
  }

  @Test func `run at once without a client`() throws {
    #expect(try session.act(#"{"step":"opened"}"#).status == 200)
    #expect(try session.act(Self.withdrawn, as: Workshop.operatorKey)["outcome"] == "performed")
    #expect(try stack() == ["jobs"])
  }

  @Test func `are in the history as they were posted`() throws {
    #expect(try post(1, #"{"step":"opened"}"#).status == 200)
    #expect(try session.act(Self.withdrawn, as: Workshop.operatorKey)["outcome"] == "pending")
    guard case .array(let entries)? = try session.get("/history")["entries"] else { throw NeverCame() }
    #expect(entries.last?["action"]?["deliver"] == "settled" && entries.last?["action"]?["step"] == "withdrawn")
  }
}
