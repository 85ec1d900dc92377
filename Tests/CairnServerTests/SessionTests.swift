import CairnCore
import CairnServer
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Sessions over HTTP` {
  @Test func `the response to a creation contains the session, its location and its secret`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("shop", #","label":"a label","accessToken":"t""#)
    let created = session.created
    #expect(created.status == 201)
    #expect(created.headers["location"] == "/v1/sessions/\(session.id)")
    #expect(created.taggedRevision == 1)
    #expect(session.id.first == "s" && session.id.count == 24)
    #expect(session.secret.hasPrefix("cs_") && session.secret.count == 46)
    #expect(created["app"] == "shop" && created["label"] == "a label" && created["clock"] == "system" && created["revision"] == 1)
    #expect(created["facts", "accessToken"] == true)
    #expect(created["visible", "screen"] == "home" && created["login", "status"] == "loggedIn" && created["pending"] == [])
    #expect(
      created["accepts", "steps"] == [
        ["step": "productIsPicked", "params": ["productId": "integer"]], ["step": "termsAreRequired", "params": [:]],
      ])
    #expect(created["now"] == nil && created["opened"] == nil)

    let shown = try session.get()
    #expect(shown.status == 200 && shown["secret"] == nil)
    guard case .object(var members) = created.json else { throw Workshop.NoSession(reply: created) }
    members["secret"] = nil
    #expect(shown.json == .object(members))
    #expect(!shown.text.contains(session.secret))
  }

  @Test func `ids and secrets are unique`() {
    let ids = Set((0..<1_000).map { _ in Identity.sessionID() })
    let secrets = Set((0..<1_000).map { _ in Identity.secret() })
    #expect(ids.count == 1_000 && secrets.count == 1_000)
  }

  @Test func `only the secret of the session and an operator key open it, and no response reveals which sessions exist`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("shop")
    let other = try workshop.session("shop")
    let path = "/v1/sessions/\(session.id)"
    #expect(try workshop.send("GET", path, as: session.secret).status == 200)
    #expect(try workshop.send("GET", path, as: Workshop.operatorKey).status == 200)
    let unknown = try workshop.send("GET", "/v1/sessions/s0000000000000000000000A", as: session.secret)
    #expect(unknown.status == 401)
    for secret in [other.secret, "", "x", session.secret + "x", String(session.secret.dropLast()), session.secret.uppercased()] {
      let reply = try workshop.send("GET", path, as: secret)
      #expect(reply.status == 401 && reply.code == "unauthorized" && reply["detail"] == unknown["detail"])
      #expect(reply.headers["www-authenticate"] == "Bearer realm=\"cairn\"")
    }
    #expect(try workshop.send("GET", path).status == 401)
    #expect(try workshop.send("GET", path, headers: [("Authorization", "Basic \(session.secret)")]).status == 401)
    #expect(try workshop.send("GET", path, headers: [("authorization", "bearer \(session.secret)")]).status == 200)
    let twice = [("Authorization", "Bearer \(session.secret)"), ("Authorization", "Bearer \(session.secret)")]
    #expect(try workshop.send("GET", path, headers: twice).status != 200)
    for (method, rest) in [
      ("POST", "/actions"), ("POST", "/open"), ("POST", "/notifications"), ("GET", "/history"), ("GET", "/stack"), ("DELETE", ""),
    ] {
      let reply = try workshop.send(method, path + rest, method == "POST" ? "not even JSON" : nil, as: other.secret)
      #expect(reply.status == 401, "\(method) \(rest)")
    }
    #expect(try session.get().status == 200)
  }

  @Test func `the callers that can create sessions are configured`() throws {
    let workshop = try Workshop(creation: .operatorOnly)
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"shop"}"#).status == 401)
    let other = try workshop.send("POST", "/v1/sessions", #"{"app":"shop"}"#, as: "something")
    #expect(other.status == 401 && other.code == "unauthorized")
    let secret = try Workshop().session("lab").secret
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"shop"}"#, as: secret).code == "operator-only")
    #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"shop"}"#, as: Workshop.operatorKey).status == 201)
    let open = try Workshop()
    #expect(try open.send("POST", "/v1/sessions", #"{"app":"shop"}"#, as: "something").status == 401)
  }

  @Test func `a creation with a rejected link succeeds`() throws {
    let workshop = try Workshop()
    let good = try workshop.session("lab", #","open":"lab://go/4""#)
    #expect(good.created.routes == ["first", "second"] && good.created["opened", "outcome"] == "performed")
    let bad = try workshop.session("lab", #","open":"lab://nowhere""#)
    #expect(bad.created.routes == ["first"] && bad.created["opened", "code"] == "unknown-link" && bad.created["opened", "status"] == 422)
    #expect(bad.created.text.contains(##""pointer":"#/open""##))
    let tapped = try workshop.session("lab", #","notification":{"aps":{},"data":{"url":"lab://none"}}"#)
    #expect(tapped.created.text.contains(##""pointer":"#/notification/data/url""##))
    let held = try workshop.session("qiita", #","open":"https://qiita.com/items/1""#)
    #expect(held.created["opened", "outcome"] == "pending")
    guard case .array(let pending)? = held.created["pending"] else { throw Workshop.NoSession(reply: held.created) }
    #expect(pending.first?["kind"] == "link" && pending.first?["url"] == "https://qiita.com/items/1")
  }

  @Test func `facts are set by the operator and by the environment`() throws {
    let workshop = try Workshop(environment: ["LAB_CITY": "Kyoto", "UNNAMED": "x"])
    let session = try workshop.session("lab", #","facts":{"count":3}"#, as: Workshop.operatorKey)
    #expect(session.created["facts"] == ["accessToken": false, "count": 3, "city": "Kyoto"])
    let set = try session.act(#"{"type":"facts","set":{"count":4}}"#, as: Workshop.operatorKey)
    #expect(set.status == 200)
    #expect(try session.get()["facts", "count"] == 4)
    #expect(!(try session.get("/history").text.contains("UNNAMED")))
  }

  @Test func `a client sets the facts that are declared as its own, and the layout follows`() throws {
    let session = try Workshop().session("tablet", #","facts":{"isWide":true}"#)
    #expect(session.created["tree", "kind"] == "split" && session.created["accepts", "facts"] == ["isWide": "boolean?"])
    let narrow = try session.act(#"{"type":"facts","set":{"isWide":false}}"#)
    #expect(narrow.status == 200 && narrow["tree", "kind"] == "stack" && narrow["tree", "collapsed"] == true)
    guard case .array(let changes)? = narrow["changes"] else { throw Workshop.NoSession(reply: narrow) }
    #expect(changes.count == 1 && changes[0]["op"] == "set" && changes[0]["kind"] == "stack" && changes[0]["in"] == narrow["tree", "id"])
    let others = try session.act(#"[{"type":"pop"},{"type":"facts","set":{"isWide":true,"plan":"gold"}}]"#)
    #expect(others.status == 403 && others["index"] == 1 && others.text.contains("plan"))
    #expect(try session.act(#"{"type":"facts","set":{"isWid":true}}"#).status == 422)
    #expect(try session.workshop.send("POST", "/v1/sessions", #"{"app":"tablet","facts":{"plan":"gold"}}"#).status == 403)
    #expect(try session.get("/history").text.contains(#""set":{"isWide":false}"#))
  }

  @Test func `a client with the current entity tag gets 304`() throws {
    let session = try Workshop().session("lab")
    let tag = session.created.tag
    for path in ["", "/stack"] {
      for tags in ["\"\(tag)\"", "W/\"\(tag)\"", "\"7\", \"\(tag)\"", "*"] {
        let reply = try session.get(path, headers: [("If-None-Match", tags)])
        #expect(reply.status == 304 && reply.text.isEmpty && reply.tag == tag, "\(path) \(tags)")
      }
      #expect(try session.get(path, headers: [("If-None-Match", "\"2\"")]).status == 200)
      #expect(try session.get(path, headers: [("If-None-Match", "1")]).code == "bad-request")
    }
  }

  @Test(.oneNode("it controls the journal in memory")) func `If-Match guards posts and deletions`() throws {
    let session = try Workshop().session("lab")
    let pop = #"{"step":"go","params":{"n":1}}"#
    for tags in ["\"2\"", "W/\"1\"", "\"x\"", "\"0\",\"5\"", "\"01\"", "\"+1\""] {
      let reply = try session.act(pop, headers: [("If-Match", tags)])
      #expect(reply.status == 412 && reply.code == "revision-mismatch" && reply.revision == 1, "\(tags)")
    }
    for tags in ["1", "\"1", "", "\"1\" \"2\"", "W/1"] {
      #expect(try session.act(pop, headers: [("If-Match", tags)]).status == 400, "\(tags)")
    }
    #expect(try session.act(pop, headers: [("If-Match", "\"9\", \"1\"")]).revision == 2)
    // A proxy that compresses responses makes their tags weak. With the hash the tag still names one entry.
    let weak = try session.act(pop, headers: [("If-Match", "W/\"\(session.created.tag)\"")])
    #expect(weak.status == 412)
    #expect(try session.act(pop, headers: [("If-Match", "W/\"\(session.get().tag)\"")]).revision == 3)
    let path = "/v1/sessions/\(session.id)"
    #expect(try session.workshop.send("DELETE", path, as: session.secret, headers: [("If-Match", "\"2\"")]).status == 412)
    #expect(try session.workshop.send("DELETE", path, as: session.secret, headers: [("If-Match", "\"3\"")]).status == 204)
    #expect(try session.get().status == 401)
    #expect(try session.workshop.send("DELETE", path, as: Workshop.operatorKey).status == 404)
    #expect(session.workshop.journal.traces(of: session.id).isEmpty)
  }

  @Test func `a session can be read at an earlier revision`() throws {
    let session = try Workshop().session("lab")
    _ = try session.act(#"{"step":"go","params":{"n":1}}"#)
    _ = try session.act(#"{"type":"pop"}"#)
    let first = try session.get("?revision=1")
    #expect(first.routes == ["first"] && first.revision == 1 && first.taggedRevision == 1)
    #expect(first["tree"] == session.created["tree"])
    #expect(try session.get("?revision=2").routes == ["first", "second"])
    let beyond = try session.get("?revision=4")
    #expect(beyond.status == 404 && beyond.revision == 3)
  }

  @Test func `an operator lists sessions by app and label in pages`() throws {
    let workshop = try Workshop()
    let shops = try (0..<3).map { _ in try workshop.session("shop", #","label":"a&b c+d""#).id }
    let lab = try workshop.session("lab")
    let key = Workshop.operatorKey
    #expect(try workshop.send("GET", "/v1/sessions", as: lab.secret).code == "operator-only")
    func ids(_ reply: Reply) -> [Value] {
      guard case .array(let items)? = reply["sessions"] else { return [] }
      return items.compactMap { $0["id"] }
    }
    let all = try workshop.send("GET", "/v1/sessions", as: key)
    #expect(ids(all) == (shops + [lab.id]).map(Value.string) && all["next"] == nil && !all.text.contains("secret"))
    #expect(try ids(workshop.send("GET", "/v1/sessions?app=lab", as: key)) == [.string(lab.id)])
    var page = try workshop.send("GET", "/v1/sessions?label=a%26b+c%2Bd&limit=2", as: key)
    #expect(ids(page) == shops.prefix(2).map(Value.string))
    guard case .string(let next)? = page["next"] else { throw Workshop.NoSession(reply: page) }
    page = try workshop.send("GET", next, as: key)
    #expect(ids(page) == [.string(shops[2])] && page["next"] == nil)
  }
}
