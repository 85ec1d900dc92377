import CairnCore
import CairnHTTP
import CairnJournal
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Audit lines` {
  private let operators = [OperatorKey(name: "alice", key: "the-key-of-alice"), OperatorKey(name: "bob", key: "the-key-of-bob")]

  @Test(.oneNode("the lines of two nodes have no order"))
  func `audit lines contain the address, the role, and the id of a created session`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    _ = try session.get()
    _ = try workshop.send("GET", "/v1/apps", from: "127.0.0.2")
    #expect(workshop.drain())
    let lines = workshop.log.all
    #expect(lines.count == 3)
    #expect(lines[0].contains("session=\(session.id)") && lines[0].contains("address=127.0.0.1") && !lines[0].contains("role="))
    #expect(lines[1].contains("role=session") && !lines[1].contains("who="))
    #expect(lines[2].contains("address=127.0.0.2") && !lines[2].contains("role="))
  }

  @Test func `an audit line names the operator by name, and contains no key`() throws {
    let workshop = try Workshop(operators: operators)
    let session = try workshop.session("lab")
    _ = try session.act(#"{"type":"facts","set":{"count":1}}"#, as: "the-key-of-alice")
    _ = try session.act(#"{"step":"go","params":{}}"#, as: "the-key-of-bob")
    _ = try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: "the-key-of-bob")
    _ = try workshop.send("GET", "/v1/sessions", as: "the-key-of-eve")
    #expect(workshop.drain())
    let lines = workshop.log.all.filter { $0.hasPrefix("notice audit ") }
    #expect(lines.count == 3)
    for (line, words) in zip(
      lines, [["who=alice", "status=200", "role=operator"], ["who=bob", "status=422"], ["who=bob", "method=DELETE", "status=204"]])
    {
      #expect(line.contains("session=\(session.id)"))
      for word in words { #expect(line.contains(word), "\(line)") }
    }
    #expect(!workshop.log.all.contains { $0.contains("the-key-of") })
  }

  @Test func `the deletion of many sessions by an operator is logged with filter, app, number and ids`() throws {
    let workshop = try Workshop(operators: operators)
    let sessions = try (0..<120).map { _ in try workshop.session("lab", #","label":"old""#).id }
    _ = try workshop.send("DELETE", "/v1/sessions?app=lab&label=old", as: "the-key-of-bob")
    let lines = workshop.log.all.filter { $0.contains("action=end-sessions") }
    #expect(lines.count == 2)
    for line in lines {
      for word in ["app=lab", "count=120", "label=old", "who=bob"] { #expect(line.contains(word), "\(line)") }
    }
    #expect(lines.first?.contains("part=1/2") ?? false)
    for id in sessions { #expect(lines.contains { $0.contains(id) }, "\(id)") }
  }

  @Test func `the history marks the entries that an operator caused`() throws {
    let workshop = try Workshop(operators: operators)
    let session = try workshop.session("lab", #","open":"lab://go/1""#, as: "the-key-of-alice")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.act(#"[{"step":"go","params":{"n":3}},{"type":"pop"}]"#, as: "the-key-of-bob")
    _ = try session.act(#"{"step":"go","params":{"n":4}}"#)
    guard case .array(let entries)? = try session.get("/history")["entries"] else { throw Workshop.NoSession(reply: session.created) }
    #expect(entries.map { $0["by"] } == ["alice", "alice", nil, "bob", "bob", nil])
  }

  @Test func `an advance of the clock by an operator is marked in every entry that it caused`() throws {
    let workshop = try Workshop(operators: operators)
    let session = try workshop.session("lab", #","clock":"manual""#)
    _ = try session.act(#"{"step":"tick"}"#)
    _ = try session.act(#"{"type":"advance","by":"11s"}"#, as: "the-key-of-bob")
    _ = try session.act(#"{"type":"pop"}"#)
    guard case .array(let entries)? = try session.get("/history")["entries"] else { throw Workshop.NoSession(reply: session.created) }
    let authors = entries.map { $0["by"] }
    #expect(authors.count >= 5 && authors.prefix(2) == [nil, nil] && authors.last == .some(nil))
    #expect(authors.dropFirst(2).dropLast().allSatisfy { $0 == "bob" })
  }

  @Test func `operator keys can be replaced while the service runs`() throws {
    let workshop = try Workshop(operators: operators)
    func status(_ key: String) throws -> Int { try workshop.send("GET", "/v1/sessions", as: key).status }
    #expect(try status("the-key-of-alice") == 200 && status("the-key-of-carol") == 401)
    workshop.operators.replace(with: [OperatorKey(name: "carol", key: "the-key-of-carol")])
    #expect(try status("the-key-of-alice") == 401 && status("the-key-of-carol") == 200)
  }

  @Test(.oneNode("it stops or breaks the store of one node")) func `rejections during the stop are logged once`() throws {
    let workshop = try Workshop()
    workshop.store.stop()
    for _ in 1...5 { #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#).code == "stopping") }
    #expect(workshop.drain())
    #expect(workshop.log.all.filter { $0.contains("result=stopping") }.count == 1)
  }

  @Test(.oneNode("it stops or breaks the store of one node")) func `the texts of faults are shown only on the admin port`() throws {
    let workshop = try Workshop(hasAdminPort: true)
    let session = try workshop.session("lab")
    workshop.journal.fail(with: .io("/var/lib/secret-place is full"))
    #expect(try session.act(#"{"step":"go","params":{"n":1}}"#).status == 503)
    let open = try workshop.send("GET", "/readyz")
    #expect(open.status == 503 && open.text.contains("[-]journal failed: the journal cannot be written\n"))
    #expect(!open.text.contains("secret-place"))
    #expect(!(try workshop.send("GET", "/readyz", headers: [("Accept", "application/json")]).text.contains("secret-place")))
    let inside = try Wire.send(workshop.admin.port, "GET", "/readyz")
    #expect(inside.status == 503 && inside.text.contains("secret-place"))
  }
}
