import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Forks, files and scenarios on the built service` {
  private static let key = Service.operatorKey

  private func fork(_ session: Driven, _ body: Value = [:]) async throws -> Driven {
    try started(session.service, try await session.service.post("/v1/sessions/\(session.id)/fork", body, secret: Self.key))
  }

  private func export(_ session: Driven) async throws -> Data {
    Data(try await session.service.post("/v1/sessions/\(session.id)/export", [:], secret: Self.key).text.utf8)
  }

  private func take(_ file: Data, _ service: Service, headers: [String: String] = [:]) async throws -> Reply {
    let type = ["Content-Type": "application/vnd.cairn.session+jsonl"]
    return try await service.send(
      "POST", "/v1/sessions/import", body: file, secret: Self.key, headers: type.merging(headers) { $1 })
  }

  private func started(_ service: Service, _ reply: Reply) throws -> Driven {
    guard reply.status == 201, case .string(let id) = reply["id"], case .string(let secret) = reply["secret"] else {
      throw Service.Failure("no session: \(reply.status) \(reply.text)")
    }
    return Driven(service: service, id: id, secret: secret, created: reply)
  }

  private func start(_ scenario: Value, _ service: Service, _ more: [String: Value] = [:], as key: String? = Service.operatorKey)
    async throws -> Reply
  {
    try await service.post("/v1/sessions", .object(more.merging(["app": "shop", "scenario": scenario]) { $1 }), secret: key)
  }

  @Test func `forks and imported sessions are there after a kill, and are verified`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    for number in 1...300 { _ = try await session.step("productIsPicked", ["productId": .integer(number % 7)]) }
    let copy = try await fork(session, ["revision": 5])
    let imported = try started(service, try await take(try await export(session), service))
    service.crash()
    try await service.start()
    let verified = try await service.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    #expect(try await copy.get().sketch == session.get("?revision=5").sketch)
    for revision in [1, 17, 255, 256, 257, 301] {
      #expect(try await imported.get("?revision=\(revision)").sketch == session.get("?revision=\(revision)").sketch, "\(revision)")
    }
    // The imported file contained no token.
    let now = try await imported.get()
    #expect(now.revision == 302 && now.json.at(["login", "status"]) == "loggedOut")
    #expect(try await imported.get("/history?after=250").status == 200)
  }

  @Test(arguments: [1, 5, 9]) func `a kill during imports leaves whole sessions or none`(moment: Int) async throws {
    let service = try await Service()
    let session = try await service.session("shop")
    for _ in 1...40 { _ = try await session.step("signUpIsRequired") }
    let (file, newest) = (try await export(session), try await session.get().revision)
    let answered = ImportCount()
    let known = await withTaskGroup(of: [Driven].self) { group in
      for _ in 0..<3 {
        group.addTask {
          var known: [Driven] = []
          while let reply = try? await take(file, service), let copy = try? started(service, reply) {
            known.append(copy)
            if await answered.increment() == moment { service.crash() }
          }
          return known
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(known.count >= moment)
    try await service.start()
    let verified = try await service.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    for copy in known { #expect(try await copy.get().revision == newest) }
    let list = try await service.send("GET", "/v1/sessions?limit=1000", secret: Self.key)
    let revisions = items(list, "sessions").map { $0["revision"] }
    #expect(revisions.count > known.count && revisions.allSatisfy { $0 == newest.map { .integer($0) } })
  }

  @Test func `a session begins at the end of a scenario, on a manual clock`() async throws {
    let service = try await Service()
    let reply = try await start(
      [
        "name": "a product is shown", "given": ["accessToken": "t"],
        "steps": [
          ["when": [["step": "productIsPicked", "params": ["productId": 3]]], "then": ["visible": "product"]],
          ["when": ["back", "termsAreRequired"], "then": ["visible": "terms"]],
        ],
      ], service, ["label": "qa"])
    let session = try started(service, reply)
    #expect(reply.revision == 1 && reply["label"] == "qa" && reply.visible == "terms")
    let history = try await session.get("/history")
    #expect(items(history, "entries").first?["action"] == ["type": "scenario", "name": "a product is shown"])
    #expect(try await session.get("/history?as=scenario").text.contains("started at the end of the scenario"))
    #expect(try await session.act(["type": "advance", "by": "1s"]).status == 200)
    #expect(try await session.step("termsAreClosed").visible == "home")
    service.crash()
    try await service.start()
    #expect(try await service.verify().code == 0)
    #expect(try await session.get().visible == "home")
  }

  @Test func `a scenario with a mistake or an expectation that is not met starts no session, and the response says where`() async throws {
    let service = try await Service()
    func fault(_ scenario: Value, _ more: [String: Value] = [:], as key: String? = Service.operatorKey) async throws -> String {
      let reply = try await start(scenario, service, more, as: key)
      let errors = items(reply, "errors").map { "\($0["pointer"]?.word ?? "") \($0["detail"]?.word ?? "")" }
      return ([String(reply.status), reply.code ?? ""] + errors).joined(separator: "\n")
    }
    let given: Value = ["accessToken": "t"]
    #expect(
      try await fault(["given": given, "steps": [["when": "termsAreRequired", "then": ["visible": "home"]]]])
        == "422\ninvalid-scenario\n#/scenario/steps/0/then visible: expected home\n         found    terms")
    #expect(
      try await fault(["given": given, "when": ["back", ["advance": "soon"]]]).contains(
        "#/scenario/when/1/advance must be a number with `ms`"))
    #expect(try await fault(["given": given, "whem": []]).contains("#/scenario/whem `whem` is unknown"))
    #expect(
      try await fault(["given": ["definition": "x.yaml"]]).contains("#/scenario/given/definition a session cannot start with a migration"))
    #expect(try await fault(["given": given, "when": .array(Array(repeating: "back", count: 201))]).contains("201 actions"))
    #expect(try await fault(["given": given, "when": "noSuchStep"]).hasPrefix("422\ninvalid-scenario"))
    #expect(try await fault([:], ["accessToken": "t"]).hasPrefix("422\ninvalid\n#/accessToken"))
    #expect(try await fault([:], as: nil) == "403\noperator-only")
    let list = try await service.send("GET", "/v1/sessions", secret: Self.key)
    #expect(list["sessions"] == [])
  }

  @Test func `commands fork, export and import a session`() async throws {
    let service = try await Service()
    let state = ["XDG_STATE_HOME": service.folder.appending(path: "state").path, "CAIRN_URL": "http://127.0.0.1:\(service.port)"]
    let environment = state.merging(["LC_ALL": "C.UTF-8", "COLUMNS": "200", "NO_COLOR": "", "CAIRN_OPERATOR_KEY": Self.key]) { $1 }
    func run(_ arguments: String...) async throws -> Finished {
      try await service.run(["session"] + arguments, environment: environment)
    }
    let (file, key) = (service.folder.appending(path: "s.jsonl").path, service.folder.appending(path: "key").path)
    try Data("\(Data(repeating: 1, count: 32).base64EncodedString())\n".utf8).write(to: URL(filePath: key))
    #expect(try await run("new", "shop", "--token", "t", "--name", "mine").code == 0)
    #expect(try await run("step", "productIsPicked", "productId=7").code == 0)
    let copy = try await run("fork", "--revision", "1", "--label", "copy")
    #expect(copy.code == 0 && copy.output.contains("home  ◀ visible"), "\(copy.output)\(copy.error)")
    let written = try await run("export", file, "--key-file", key, "--session", "mine")
    #expect(written.code == 0 && written.output.hasPrefix("\(file): "), "\(written.output)\(written.error)")
    let imported = try await run("import", file, "--key-file", key)
    #expect(imported.code == 0 && imported.output.contains("product(productId: 7)  ◀ visible"), "\(imported.output)\(imported.error)")
    #expect(try await run("show").output.contains("revision 2"))
    try Data("x".utf8).write(to: URL(filePath: key))
    #expect(try await run("import", file, "--key-file", key).code == 64)
    #expect(try await run("import", "no-such-file").code == 5)
    #expect(try await run("import", key).error.contains("invalid-session-file"))
  }
}

/// The elements of an array in a response; empty if there is none.
private func items(_ reply: Reply, _ name: String) -> [Value] {
  if case .array(let items)? = reply[name] { items } else { [] }
}

private actor ImportCount {
  private var count = 0

  func increment() -> Int {
    count += 1
    return count
  }
}
