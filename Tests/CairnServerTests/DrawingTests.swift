import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Graph, warnings and links of a definition over HTTP` {
  private func items(_ reply: Reply, _ name: String) throws -> [Value] {
    guard case .array(let items)? = reply[name] else { throw Workshop.NoSession(reply: reply) }
    return items
  }

  @Test func `the graph has a node for each part of the definition, and edges between nodes`() throws {
    let reply = try Workshop().send("GET", "/v1/apps/lab/graph")
    #expect(reply.status == 200 && reply["app"] == "lab" && reply["direction"] == "LR")
    let nodes = try items(reply, "nodes")
    #expect(nodes.map { $0["id"] } == ["flow:main", "screen:first", "screen:second", "link:0", "notification:0"])
    #expect(nodes[0]["container"] == "stack" && nodes[0]["root"] == true && nodes[0]["handles"] == ["begin", "go", "late", "tick"])
    #expect(nodes[1]["parent"] == "flow:main" && nodes[1]["emits"] == ["go", "tick"] && nodes[1]["params"] == [:])
    #expect(nodes[2]["screen"] == "second" && nodes[2]["params"] == ["n": "integer"] && nodes[2]["emits"] == ["go", "tick"])
    #expect(nodes[3]["kind"] == "link" && nodes[3]["index"] == 0 && nodes[3]["label"] == "/go/{n}")
    let edges = try items(reply, "edges")
    #expect(
      edges.contains([
        "from": "screen:first", "to": "screen:second", "label": "go", "kind": "step", "style": "push",
      ]))
    #expect(edges.contains(["from": "link:0", "to": "flow:main", "label": "go", "kind": "link", "style": "send"]))
    #expect(reply["legend", "styles", "push"] == "push")
    let ids = Set(nodes.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } })
    #expect(ids.count == nodes.count)
    for edge in edges {
      for end in ["from", "to"] {
        guard case .string(let id)? = edge[end] else { throw Workshop.NoSession(reply: reply) }
        #expect(ids.contains(id), "\(edge)")
      }
    }
  }

  @Test func `each format of the graph has its own entity tag`() throws {
    let workshop = try Workshop()
    let plain = try workshop.send("GET", "/v1/apps/shop/graph")
    guard case .string(let hash)? = plain["definition"] else { throw Workshop.NoSession(reply: plain) }
    #expect(plain.headers["etag"] == "\"\(hash)\"")
    #expect(plain.headers["content-type"] == "application/json" && plain.headers["vary"] == "Accept")
    let mermaid = try workshop.send("GET", "/v1/apps/shop/graph?format=mermaid")
    #expect(mermaid.headers["content-type"] == "text/vnd.mermaid; charset=utf-8" && mermaid.text.hasPrefix("flowchart LR\n"))
    let dot = try workshop.send("GET", "/v1/apps/shop/graph", headers: [("Accept", "text/vnd.graphviz;q=1, */*")])
    #expect(dot.headers["content-type"] == "text/vnd.graphviz; charset=utf-8" && dot.text.hasPrefix("digraph \"shop\""))
    #expect(try workshop.send("GET", "/v1/apps/shop/graph", headers: [("Accept", "text/html, */*")]).text == plain.text)
    #expect(Set([plain, mermaid, dot].map { $0.headers["etag"] }).count == 3)
    for (reply, query) in [(plain, ""), (mermaid, "?format=mermaid"), (dot, "?format=dot")] {
      let tag = reply.headers["etag"] ?? ""
      let copy = try workshop.send("GET", "/v1/apps/shop/graph\(query)", headers: [("If-None-Match", "W/\(tag)")])
      #expect(copy.status == 304 && copy.text == "" && copy.headers["etag"] == tag)
    }
    #expect(try workshop.send("GET", "/v1/apps/shop/graph", headers: [("If-None-Match", "\"other\"")]).status == 200)
    #expect(try workshop.send("GET", "/v1/apps/shop/graph?format=svg").places == ["?format"])
    #expect(try workshop.send("GET", "/v1/apps/shopp/graph").code == "not-found")
  }

  @Test func `the warnings are those of check, with the lines of the file`() throws {
    let workshop = try Workshop()
    let reply = try workshop.send("GET", "/v1/apps/lab/check")
    #expect(reply.status == 200 && reply["app"] == "lab" && reply["problems"] == [])
    let warnings = try items(reply, "warnings")
    #expect(
      warnings == [
        ["column": 3, "line": 5, "message": "the fact `count` is never used"],
        ["column": 3, "line": 6, "message": "the fact `city` is never used"],
        ["column": 3, "line": 10, "message": "the screen `long` can never be shown: no flow creates it"],
        ["column": 3, "line": 11, "message": "the screen `anything` can never be shown: no flow creates it"],
      ])
    #expect(try workshop.send("GET", "/v1/apps/shop/check")["warnings"] == [])
    #expect(try workshop.send("GET", "/v1/apps/nobody/check").code == "not-found")
  }

  @Test func `the link that accepts a URL is returned`() throws {
    let workshop = try Workshop()
    let taken = try workshop.send("GET", "/v1/apps/lab/links?url=lab%3A%2F%2Fgo%2F7")
    let link: Value = ["guarded": false, "index": 0, "path": "/go/{n}", "schemes": ["lab"], "step": "go"]
    #expect(taken.status == 200 && taken["url"] == "lab://go/7" && taken["links"] == [link] && taken["refusal"] == nil)
    guard case .object(var members) = link else { return }
    members["values"] = ["n": "7"]
    #expect(taken["link"] == .object(members))
    let unfit = try workshop.send("GET", "/v1/apps/lab/links?url=lab%3A%2F%2Fgo%2Fx")
    #expect(unfit["link"] == .null && unfit["refusal", "code"] == "invalid")
    let unknown = try workshop.send("GET", "/v1/apps/lab/links?url=https://elsewhere.example")
    #expect(unknown["link"] == .null && unknown["refusal", "code"] == "unknown-link")
    let all = try workshop.send("GET", "/v1/apps/lab/links")
    #expect(all["link"] == nil && all["url"] == nil && all["links"] == [link])
  }

  @Test func `a URL has the same limit wherever it comes from`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    func url(_ length: Int) -> String { "lab://x/" + String(repeating: "a", count: length - 8) }
    let (fits, long) = (url(4_096), url(4_097))
    #expect(try session.post("open", "{\"url\":\"\(fits)\"}").code == "unknown-link")
    #expect(try workshop.send("GET", "/v1/apps/lab/links?url=\(fits)").status == 200)
    #expect(try session.post("open", "{\"url\":\"\(long)\"}").places == ["#/url"])
    #expect(try workshop.send("POST", "/v1/sessions", "{\"app\":\"lab\",\"open\":\"\(long)\"}").places == ["#/open"])
    #expect(try workshop.send("GET", "/v1/apps/lab/links?url=\(long)").places == ["?url"])
  }

  @Test func `the redirect URL of the OAuth provider is reported as such and matches no link`() throws {
    let workshop = try Workshop(environment: ["QIITA_REDIRECT_URL": "https://a.example/cb"])
    let reply = try workshop.send("GET", "/v1/apps/qiita/links?url=https%3A%2F%2Fa.example%2Fcb%3Fcode%3Dx")
    #expect(reply["oauth"] == true && reply["link"] == .null && reply["refusal"] == nil)
  }
}
