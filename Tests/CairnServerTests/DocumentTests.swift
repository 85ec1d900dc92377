import CairnAPI
import CairnCore
import CairnTesting
import Testing

@testable import CairnServer

/// Compares the endpoint table with the behaviour of the endpoints.
@Suite(.tags(.timing), .ownThreads) struct DocumentTests {
  private static let stranger = "qqqqqqqqqqqqqqqqqqqqqqqq"

  /// Sends a request to an endpoint as an operator, with a valid body if the endpoint requires one.
  private func ask(
    _ workshop: Workshop, _ endpoint: Endpoint, query: String = "", headers: [(String, String)] = []
  ) throws -> Reply {
    let session = try workshop.session("lab", as: Workshop.operatorKey)
    let target =
      endpoint.path.replacing("{id}", with: session.id).replacing("{app}", with: "lab").replacing("{file}", with: "console.css")
      .replacing("{folder}", with: "graph").replacing("{script}", with: "graph.js")
      .replacing("{engine}", with: Workshop.engine.name) + query
    let body: String? =
      switch endpoint.id {
      case "startSession": #"{"app":"lab"}"#
      case "openLink", "postNotification": #"{"url":"lab://go/7"}"#
      case "migrateSession": #"{"to":"\#(try #require(try workshop.send("GET", "/v1/apps/lab")["definition"]?.word))"}"#
      case "undo": #"{"revision":1}"#
      case "predict": #"{"actions":[{"type":"back"}]}"#
      case "postActions": #"{"type":"back"}"#
      default: endpoint.method == .post || endpoint.method == .put ? "{}" : nil
      }
    return try workshop.send(endpoint.method.rawValue, target, body, as: Workshop.operatorKey, headers: headers)
  }

  @Test func `every endpoint has a unique id and a unique pair of method and path`() {
    #expect(Set(Endpoint.all.map(\.id)).count == Endpoint.all.count, "generated clients use the names")
    #expect(Set(Endpoint.all.map { "\($0.method) \($0.path)" }).count == Endpoint.all.count)
    for route in Route.all { #expect(Set(route.endpoints.map(\.port)).count == 1, "\(route.template)") }
  }

  @Test func `the described query parameters are those that the endpoint reads`() throws {
    let workshop = try Workshop()
    for endpoint in Endpoint.all {
      let reply = try ask(workshop, endpoint, query: "?\(Self.stranger)=1")
      guard case .array(let errors)? = reply["errors"], case .string(let told)? = errors.first?["detail"] else {
        Issue.record("\(endpoint.id): \(reply.text)")
        continue
      }
      #expect(reply.status == 422, "\(endpoint.id)")
      let names = endpoint.query.map(\.name) + ["pretty"]
      #expect(told.hasSuffix("the parameters are \(names.joined(separator: ", "))"), "\(endpoint.id): \(told)")
    }
  }

  @Test func `the described headers are those that the endpoint reads`() throws {
    let workshop = try Workshop()
    for endpoint in Endpoint.all {
      // Streams are skipped, because they do not end.
      if endpoint.path.hasSuffix("/events") { continue }
      for (field, wrong) in [(RequestField.ifMatch, "8"), (.ifNoneMatch, "8"), (.idempotencyKey, "\"")] {
        let reply = try ask(
          workshop, endpoint, query: endpoint.id == "endSessions" ? "?label=nobody" : "", headers: [(field.name, wrong)])
        let isRead = reply.status == 400 && reply.text.contains(field.name)
        #expect(isRead == endpoint.headers.contains { $0.name == field.name }, "\(endpoint.id), \(field.name): \(reply.text)")
      }
      let short = try ask(workshop, endpoint, headers: [("Prefer", "return=minimal, wait=1, predict")])
      #expect((short.headers["preference-applied"] != nil) == endpoint.headers.contains(.prefer), "\(endpoint.id), Prefer: \(short.text)")
    }
  }

  @Test func `every example is accepted, and matches the schema of its body`() throws {
    let workshop = try Workshop()
    for endpoint in Endpoint.all {
      for example in endpoint.examples {
        let session = try workshop.session("qiita")
        let target = endpoint.path.replacing("{id}", with: session.id).replacing("{app}", with: "qiita")
        let reply = try workshop.send(
          endpoint.method.rawValue, target, String(decoding: try JSONText.bytes(example.body), as: UTF8.self),
          as: endpoint.id == "startSession" ? nil : session.secret)
        #expect((200...202).contains(reply.status), "\(example.name): \(reply.text)")
        let schema = try #require(endpoint.body?.schema?.value)
        #expect(SchemaCheck(document: Contract.document, isWhole: false).faults(example.body, schema) == [], "\(example.name)")
      }
    }
  }

  @Test func `every reference in the document resolves, and every schema is used`() {
    var references: Set<String> = []
    func walk(_ value: Value) {
      switch value {
      case .object(let members):
        if case .string(let reference)? = members["$ref"] { references.insert(reference) }
        members.values.forEach(walk)
      case .array(let elements): elements.forEach(walk)
      default: break
      }
    }
    walk(Contract.document)
    func path(_ reference: String) -> [String] { reference.dropFirst(2).split(separator: "/").map(String.init) }
    #expect(references.filter { Contract.document.at(path($0)) == nil } == [])
    guard case .object(let schemas)? = Contract.document.at(["components", "schemas"]) else { return }
    #expect(schemas.keys.filter { !references.contains("#/components/schemas/\($0)") } == [])
  }

  @Test func `the document names the commit of the build if it is known`() {
    #expect(Document(version: "1", commit: "abc-dirty").value.at(["info", "x-commit"]) == "abc-dirty")
    #expect(Contract.document.at(["info", "version"]) == "1.2.3" && Contract.document.at(["info", "x-commit"]) == nil)
  }

  @Test func `the document has an entity tag, and is sent again only if it has changed`() throws {
    let workshop = try Workshop()
    for target in ["/openapi.json", "/v1/apps/lab/openapi.json"] {
      let reply = try workshop.send("GET", target)
      #expect(reply.status == 200 && reply["openapi"] == "3.1.0" && reply["servers"] == [["url": "/"]])
      let tag = try #require(reply.headers["etag"])
      #expect(try workshop.send("GET", target, headers: [("If-None-Match", tag)]).status == 304)
      #expect(try workshop.send("GET", target, headers: [("If-None-Match", "\"x\"")]).text == reply.text)
      #expect(try workshop.send("GET", "\(target)?pretty").json == reply.json)
      #expect(!reply.text.contains(Workshop.operatorKey) && !reply.text.contains("LAB_CITY"))
    }
    #expect(try workshop.send("GET", "/v1/apps/lob/openapi.json").status == 404)
  }
}
