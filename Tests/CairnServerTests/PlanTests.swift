import CairnCore
import CairnServer
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Plans over HTTP` {
  /// The response without the members of a plan and without those that are specific to its request.
  private func told(_ reply: Reply) -> Value {
    guard case .object(var members) = reply.json else { return .null }
    for name in ["plan", "instance"] { members[name] = nil }
    if case .object(let link)? = members["link"] { members["link"] = link["held"] }
    return .object(members)
  }

  @Test(arguments: [
    #"{"step":"go","params":{"n":5}}"#, #"{"step":"go","params":{"n":"x"}}"#, #"{"step":"goo"}"#, #"{"type":"pop"}"#,
    #"{"type":"select","tab":1}"#,
    #"{"type":"push","screen":"second","params":{"n":1}}"#, #"[{"step":"go","params":{"n":1}},{"type":"pop"},{"type":"pop"}]"#,
    #"[{"step":"go","params":{"n":1}},{"type":"select","tab":1}]"#, #"{"type":"facts","set":{"count":3}}"#,
    #"{"type":"advance","by":"10s"}"#,
    #"{"type":"token","accessToken":"the-token"}"#, #"{"type":"logout"}"#, #"{"type":"appState","state":"background"}"#, #"{}"#, "nonsense",
  ]) func `the response to a plan equals that of the post, and nothing changes`(body: String) throws {
    for prefer in ["return=representation", "return=minimal"] {
      let session = try Workshop().session("lab", #","clock":"manual""#)
      _ = try session.act(#"{"step":"tick"}"#)
      let before = try session.get()
      let planned = try session.post("actions?plan", body, headers: [("Prefer", prefer)])
      #expect(try session.get().text == before.text)
      let posted = try session.act(body, headers: [("Prefer", prefer)])
      #expect(planned.status == posted.status && told(planned) == told(posted), "\(planned.text)\n\(posted.text)")
      #expect(planned["plan"] == (planned.status < 300 ? true : nil) && posted["plan"] == nil)
      #expect(planned.status >= 300 || planned.text.hasPrefix(#"{"plan":true,"#))
      #expect(planned.headers["preference-applied"] == posted.headers["preference-applied"])
    }
  }

  @Test func `a post with the tag of a plan has the planned result or is rejected`() throws {
    let session = try Workshop().session("lab")
    let planned = try session.post("actions?plan", #"{"step":"go","params":{"n":5}}"#)
    #expect(planned.taggedRevision == 1 && planned.revision == 2)
    let tag = [("If-Match", planned.headers["etag"] ?? "")]
    #expect(try session.act(#"{"step":"go","params":{"n":5}}"#, headers: tag).status == 200)
    for target in ["actions", "actions?plan"] {
      let late = try session.post(target, #"{"type":"pop"}"#, headers: tag)
      #expect(late.status == 412 && late.code == "revision-mismatch" && late.revision == 2)
    }
    #expect(try session.post("actions?plan=false", #"{"type":"pop"}"#).revision == 3)
    #expect(try session.get().revision == 3)
  }

  @Test func `the link that accepts the URL is returned, with the values read from it`() throws {
    let session = try Workshop().session("lab")
    let planned = try session.post("open?plan", #"{"url":"lab://go/3"}"#)
    #expect(planned.status == 200 && planned.routes == ["first", "second"])
    let link: Value = ["guarded": false, "index": 0, "path": "/go/{n}", "schemes": ["lab"], "step": "go", "values": ["n": "3"]]
    #expect(planned["link"] == link)
    let fcm = try session.post("notifications?plan", #"{"message":{"token":"x","data":{"link":"lab://go/4"}}}"#)
    #expect(fcm.routes == ["first", "second"] && fcm["link", "values"] == ["n": "4"])
    #expect(try session.get().revision == 1)
  }

  @Test func `a link that would be held is returned completely, with the id that it would get`() throws {
    let session = try Workshop().session("qiita")
    let planned = try session.post("open?plan", #"{"url":"https://qiita.com/items/1"}"#)
    #expect(planned.status == 202 && planned["outcome"] == "pending")
    #expect(planned["link", "held"] == "l1" && planned["link", "guarded"] == true && planned["link", "index"] == 0)
    #expect(planned["link", "steps"] == ["search.root", "search.webView"] && planned["link", "values"] == ["id": "1"])
    let posted = try session.post("open", #"{"url":"https://qiita.com/items/1"}"#)
    #expect(posted["link"] == "l1" && told(planned) == told(posted))
  }

  @Test func `a rejection contains the link if one has accepted the URL`() throws {
    let session = try Workshop().session("shop")
    // The user is not logged in, so no screen `home` exists.
    let opened = try session.post("open?plan", #"{"url":"shop://products/5"}"#)
    #expect(opened.status == 409 && opened.code == "screen-not-found")
    #expect(opened["accepts"] == (try session.get()["accepts"]))
    #expect(opened["link", "index"] == 0 && opened["link", "values"] == ["productId": "5"] && opened["plan"] == nil)
    let tapped = try session.post("notifications?plan&state=foreground", #"{"aps":{"category":"promo"},"url":"shop://products/5"}"#)
    #expect(tapped.status == 409 && tapped.code == "suppressed" && tapped["link"] == nil)
    let lab = try Workshop().session("lab")
    let unknown = try lab.post("open?plan", #"{"url":"lab://nowhere"}"#)
    #expect(unknown.status == 422 && unknown.code == "unknown-link" && unknown["link"] == nil && unknown.places == ["#/url"])
  }

  @Test func `a processed message is a duplicate in a plan, and a planned message is not processed`() throws {
    let session = try Workshop().session("lab")
    let message = #"{"aps":{"category":"go"},"n":4}"#
    let id = [("apns-id", "m1")]
    for _ in 0..<2 {
      let planned = try session.post("notifications?plan&action=open", message, headers: id)
      #expect(planned["outcome"] == "performed" && planned.revision == 2)
    }
    #expect(try session.post("notifications?action=open", message, headers: id)["outcome"] == "performed")
    let again = try session.post("notifications?plan&action=open", message, headers: id)
    #expect(again["outcome"] == "unchanged" && again["reason"] == "duplicate" && again.revision == 2)
  }

  @Test(.oneNode("it controls the journal in memory")) func `a plan stores nothing, neither a key nor a token, an effect or an entry`()
    throws
  {
    let workshop = try Workshop()
    let session = try workshop.session("qiita")
    let before = workshop.journal.traces(of: session.id)
    let token = try session.post("actions?plan", #"{"type":"token","accessToken":"the-token"}"#)
    #expect(token["outcome"] == "performed" && !token.text.contains("the-token"))
    #expect(try session.post("actions?plan", #"[{"type":"token","accessToken":"the-token"},{"type":"logout"}]"#).status == 200)
    let keyed = try session.post("actions?plan", #"{"type":"pop"}"#, headers: [("Idempotency-Key", "a-key")])
    #expect(keyed.status == 422 && keyed.code == "invalid")
    #expect(workshop.journal.traces(of: session.id) == before && workshop.journal.secrets(of: session.id).isEmpty)
    #expect(workshop.outbound.count == 0)
    #expect(!workshop.log.all.contains { $0.contains("the-token") })
  }

  @Test(.oneNode("it controls the journal in memory"))
  func `a planned token call is not started, and the code in a redirect is not stored`() throws {
    let workshop = try Workshop(environment: [
      "QIITA_BASE_URL": "https://b.example", "QIITA_CLIENT_ID": "c", "QIITA_REDIRECT_URL": "https://a.example/cb",
    ])
    let session = try workshop.session("qiita")
    let login = #"{"type":"login","code":"the-code"}"#
    let planned = try session.post("actions?plan", login, as: Workshop.operatorKey)
    #expect(planned.status == 202 && planned["outcome"] == "pending")
    let redirect = try session.post("open?plan", #"{"url":"https://a.example/cb?code=the-code&state=x"}"#)
    #expect(redirect.code == "oauth-state-mismatch" && redirect["link"] == nil)
    #expect(workshop.journal.secrets(of: session.id).isEmpty && workshop.outbound.count == 0)
    #expect(![planned.text, redirect.text].contains { $0.contains("the-code") } && !workshop.log.all.contains { $0.contains("the-code") })
    #expect(told(planned) == told(try session.act(login, as: Workshop.operatorKey)))
    _ = try workshop.outbound.call(0)
  }

  @Test(.oneNode("each node counts its own requests"))
  func `plans are counted and marked in the log, and are not counted as suppressed notifications`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("shop")
    _ = try session.post("notifications?plan&tap=false", #"{"aps":{"category":"promo"},"url":"shop://products/5"}"#)
    _ = try session.post("actions?plan", #"{"type":"select","tab":1}"#)
    let text = try workshop.send("GET", "/metrics").text
    #expect(text.contains("cairn_posts_planned_total 2\n") && text.contains("cairn_notifications_suppressed_total 0\n"))
    #expect(workshop.log.all.contains { $0.contains("result=planned:unchanged:suppressed") })
    #expect(workshop.log.all.contains { $0.contains("result=planned:no-tabs") })
  }

  @Test(.oneNode("each node has its own limits")) func `a plan counts against the request rate of its session`() throws {
    var limits = RateLimits()
    limits.requestsPerSession = Rate("2/m")
    let session = try Workshop(limits: limits).session("lab")
    let statuses = try (0..<3).map { _ in try session.post("actions?plan", #"{"type":"pop"}"#).status }
    #expect(statuses == [200, 200, 429])
  }

  @Test func `an invalid query is reported`() throws {
    let session = try Workshop().session("lab")
    let reply = try session.post("open?plan=maybe", #"{"url":"lab://go/3"}"#)
    #expect(reply.status == 422 && reply.places == ["?plan"])
  }
}
