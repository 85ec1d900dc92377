import CairnCore
import CairnTesting
import Testing

/// Tests of sessions whose requests the service does not send. The client posts the results.
@Suite(.tags(.timing), .ownThreads) struct `Manual requests` {
  private let given =
    #","clock":"manual","requests":"manual","environment":{"QIITA_BASE_URL":"https://b.example","QIITA_REDIRECT_URL":"https://a/cb"}"#

  @Test func `a token call waits for the posted result, and the service sends nothing`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("qiita", given, as: Workshop.operatorKey)
    #expect(try session.act(#"{"step":"login.webView"}"#).status == 200)
    let tree = try session.get().text
    let state = try #require(tree.split(separator: "state=").dropFirst().first?.prefix { $0 != "\"" && $0 != "&" })
    #expect(tree.contains("https://b.example"))
    #expect(try session.post("open", #"{"url":"https://a/cb?code=c&state=\#(state)"}"#).status == 202)
    #expect(try session.get().text.contains(#""answer""#))
    #expect(try session.act(#"{"type":"answer","loaded":1}"#)["code"] == "effect-gone")
    let answered = try session.act(#"{"type":"answer","exchanged":"by-hand"}"#)
    #expect(answered.status == 200 && answered.text.contains("searchTop"))
    #expect(workshop.outbound.count == 0)
    #expect(try !session.get("/history").text.contains("by-hand"))
    #expect(try !session.get().text.contains(#""answer""#))
    #expect(try session.act(#"{"type":"answer","exchanged":"again"}"#)["code"] == "effect-gone")
  }

  @Test func `a token call without a result ends at its deadline on the manual clock`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("qiita", given, as: Workshop.operatorKey)
    _ = try session.act(#"{"step":"login.webView"}"#)
    let state = try #require(try session.get().text.split(separator: "state=").dropFirst().first?.prefix { $0 != "\"" && $0 != "&" })
    _ = try session.post("open", #"{"url":"https://a/cb?code=c&state=\#(state)"}"#)
    #expect(try session.act(#"{"type":"advance","by":"9999ms"}"#).status == 200)
    #expect(try session.get()["login", "status"] == "requesting")
    #expect(try session.act(#"{"type":"advance","by":"1ms"}"#).status == 200)
    #expect(try session.get()["login", "status"] == "failed")
  }

  @Test func `only an operator can create a session with manual requests, and other sessions reject a posted result`() throws {
    let workshop = try Workshop()
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"qiita"\#(given)}"#)["code"] == "operator-only")
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"qiita","environment":{}}"#)["code"] == "operator-only")
    let wrong = #"{"app":"qiita","requests":"none","environment":{"A":1}}"#
    let refused = try workshop.send("POST", "/v1/sessions", wrong, as: Workshop.operatorKey)
    #expect(refused.status == 422 && refused.text.contains("#/requests") && refused.text.contains("#/environment"))
    let session = try workshop.session("qiita")
    let answer = try session.act(#"{"type":"answer","exchanged":"t"}"#)
    #expect(answer.status == 409 && answer["code"] == "manual-requests-only")
    for body in [#"{"type":"answer"}"#, #"{"type":"answer","loaded":1,"failed":"x"}"#, #"{"type":"answer","failed":1}"#] {
      #expect(try session.act(body).status == 422, "\(body)")
    }
  }
}
