import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commands for sessions` {
  private let service: Service

  init() async throws { service = try await Service() }

  private var environment: [String: String] {
    [
      "XDG_STATE_HOME": service.folder.appending(path: "state").path, "CAIRN_URL": "http://127.0.0.1:\(service.port)", "LC_ALL": "C.UTF-8",
      "COLUMNS": "200", "CAIRN_OPERATOR_KEY": "", "NO_COLOR": "",
    ]
  }

  private func run(_ arguments: String..., environment more: [String: String] = [:]) async throws -> Finished {
    try await service.run(["session"] + arguments, environment: environment.merging(more) { $1 })
  }

  @Test func `a session is created, driven and deleted by commands, with exit codes for scripts`() async throws {
    let started = try await run("new", "shop", "--token", "t", "--name", "mine")
    #expect(started.code == 0, "\(started.error)")
    #expect(started.output.contains("main  stack\n└─ home  ◀ visible\n"), "\(started.output)")
    let picked = try await run("step", "productIsPicked", "productId=7")
    #expect(picked.code == 0)
    #expect(picked.output == "performed, revision 2: push product(productId: 7) on main\nat: home › product(productId: 7)\n")
    let shown = try await run("show")
    #expect(shown.output.contains("   └─ ") == false && shown.output.contains("└─ product(productId: 7)  ◀ visible"), "\(shown.output)")
    #expect(try await run("show", "--revision", "1").output.contains("home  ◀ visible"))
    let refused = try await run("step", "productIsPicked", "productId=seven")
    #expect(refused.code == 4 && refused.output == "")
    #expect(refused.error.hasPrefix("refused: invalid: ") && refused.error.contains("#/params/productId: must be"), "\(refused.error)")
    #expect(try await run("back").code == 0)
    let unchanged = try await run("back")
    #expect(unchanged.code == 3 && unchanged.output.hasPrefix("unchanged (at-root), revision 3\n"), "\(unchanged.output)")
    #expect(try await run("open", "https://shop.example/products/9").output.contains("at: home › product(productId: 9)"))
    #expect(try await run("pop").code == 0)
    #expect(try await run("act", #"[{"step":"productIsPicked","params":{"productId":1}},{"type":"back"}]"#).code == 0)
    let history = try await run("history", "--after", "1", "--limit", "1")
    #expect(history.output.hasPrefix("2  ") && history.output.contains("productIsPicked(productId: 7)  performed"), "\(history.output)")
    #expect(try await run("history", "--scenario").output.contains("app: shop.yaml"))
    #expect(try await run("logout").code == 0)
    #expect(try await run("end").output == "ended\n")
    #expect(try await run("show").code == 64)
  }

  @Test func `a plan is printed and not performed`() async throws {
    #expect(try await run("new", "shop", "--token", "t").code == 0)
    let plan = try await run("step", "productIsPicked", "productId=7", "--plan")
    #expect(plan.code == 0 && plan.output.hasPrefix("would be performed"), "\(plan.output)\(plan.error)")
    #expect(try await run("open", "shop://products/9", "--plan").code != 6)
    #expect(try await run("show").output.contains("revision 1"))
  }

  @Test func `the option for JSON prints the responses of the service`() async throws {
    #expect(try await run("new", "shop", "--json", "--token", "t").code == 0)
    let shown = try await run("show", "--json")
    let value = try JSONDecoder().decode(Value.self, from: Data(shown.output.utf8))
    #expect(value["app"] == "shop" && value.at(["visible", "screen"]) == "home" && value["secret"] == nil)
    let answer = try await run("back", "--json")
    #expect(answer.code == 3)
    #expect(try JSONDecoder().decode(Value.self, from: Data(answer.output.utf8))["outcome"] == "unchanged")
  }

  @Test func `notifications and tokens are read from a file or stdin`() async throws {
    #expect(try await run("new", "qiita").code == 0)
    let held = try await run("open", "https://qiita.com/items/abc")
    #expect(held.code == 0 && held.output.contains("pending") && held.output.contains("held as l1"), "\(held.output)")
    #expect(try await run("token", "a-token").output.contains("safari"))
    try Data(#"{"aps":{"alert":"New"},"url":"qiita://items/42"}"#.utf8).write(to: service.folder.appending(path: "payload.apns"))
    #expect(try await run("notify", "payload.apns", "--state", "killed").code == 0)
    let missing = try await run("notify", "nowhere.apns")
    #expect(missing.code == 5 && missing.error.contains("nowhere.apns cannot be read"), "\(missing.error)")
  }

  @Test func `session names are stored in a file that only its owner can read`() async throws {
    #expect(try await run("new", "shop", "--name", "one", "--token", "t").code == 0)
    #expect(try await run("new", "qiita", "--name", "two").code == 0)
    let folder = service.folder.appending(path: "state/cairn")
    for (path, mode) in [("", 0o700), ("sessions.json", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
    let kept = try String(contentsOf: folder.appending(path: "sessions.json"), encoding: .utf8)
    let list = try await run("list")
    #expect(
      list.output.contains("one  s") && list.output.contains("(used by default)\n") && !list.output.contains("cs_") && kept.contains("cs_"))
    #expect(try await run("show", "--session", "one").output.hasPrefix("shop  "))
    #expect(try await run("show").output.hasPrefix("qiita  "))
    #expect(try await run("show", environment: ["CAIRN_SESSION": "one"]).output.hasPrefix("shop  "))
    #expect(try await run("end", "--session", "two").code == 0)
    let unsaid = try await run("show")
    #expect(
      unsaid.code == 64 && unsaid.error.contains("stored on this machine are one"),
      "the one that is ended is not replaced by another: \(unsaid.error)"
    )
    let all = try await run("list", "--key", Service.operatorKey)
    #expect(all.output.contains("shop  revision 1  home"), "\(all.output)\(all.error)")
  }

  @Test func `missing objects and an unreachable service have their own exit codes`() async throws {
    #expect(try await run("new", "nothing").code == 4)
    #expect(try await run("show", "--session", "s123", "--secret", "cs_1").code == 5)
    let denied = try await run("list", "--key", "not-the-key-of-anyone")
    #expect(denied.code == 5 && denied.error.contains("--key or CAIRN_OPERATOR_KEY of an operator\n"), "\(denied.error)")
    let gone = try await run("new", "shop", "--url", "http://127.0.0.1:1")
    let said =
      "the service at http://127.0.0.1:1 does not respond: could not connect to the service; start it, or set another URL with --url"
    #expect(gone.code == 6 && gone.error == "cairn: \(said)\n", "\(gone.error)")
    #expect(try await run("new", "shop", "--url", "nowhere").code == 64)
    #expect(try await run("watch", "--session", "s123", "--secret", "cs_1").code == 5)
  }

  @Test func `a command on a remembered session goes to that session's service, and names it if it does not answer`() async throws {
    #expect(try await run("new", "shop", "--name", "mine").code == 0)
    let away = ["CAIRN_URL": "", "CAIRN_OPERATOR_KEY": Service.operatorKey]
    let copy = try await run("export", "mine.json", "--session", "mine", environment: away)
    #expect(copy.code == 0, "\(copy.error)")
    #expect(try await run("step", "productIsOpened", "productId=7", "--session", "mine", environment: away).code != 6)
    #expect(try await run("fork", "--session", "mine", environment: away).code == 0)
    let address = "http://127.0.0.1:\(service.port)"
    service.crash()
    let gone = try await run("show", "--session", "mine", environment: ["CAIRN_URL": ""])
    #expect(gone.code == 6 && gone.error.contains("the service at \(address) does not respond"), "\(gone.error)")
  }

  @Test func `an unknown session name is reported with the nearest name`() async throws {
    let nobody = try await run("show", "--session", "nope")
    #expect(nobody.code == 5 && nobody.error.contains("the session nope is not stored on this machine"), "\(nobody.error)")
    #expect(try await run("new", "shop", "--name", "monday").code == 0)
    let nearly = try await run("show", "--session", "mondai")
    #expect(nearly.code == 5 && nearly.error.contains("did you mean monday?"), "\(nearly.error)")
  }

  @Test func `a step is bound to the screen that is visible when the command reads the session`() async throws {
    let started = try await run("new", "shop", "--token", "t", "--json")
    let home = try JSONDecoder().decode(Value.self, from: Data(started.output.utf8)).at(["visible", "id"])
    #expect(try await run("step", "productIsPicked", "productId=7").code == 0)
    let history = try await run("history", "--after", "1", "--json")
    let entry = try JSONDecoder().decode(Value.self, from: Data((history.output.split(separator: "\n").first ?? "").utf8))
    let cause = entry["action"] ?? entry.at(["entries", "0", "action"])
    #expect(cause?["from"] != nil && cause?["from"] == home, "\(history.output)")
  }

  @Test func `a tree is drawn in ASCII and on few columns too`() async throws {
    let started = try await run("new", "shop", "--token", "t", environment: ["LC_ALL": "C", "COLUMNS": "24"])
    #expect(started.output.contains("`- home  <- visible\n") && started.output.utf8.allSatisfy { $0 < 0x80 }, "\(started.output)")
    #expect(started.output.split(separator: "\n").allSatisfy { $0.count <= 24 })
  }
}
