import CairnCore
import CairnTesting
import Foundation
import FoundationNetworking
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Operation of the service` {
  /// Returns the log once it contains the text.
  private func log(_ service: Service, with text: String) async throws -> String { try await service.logged(text) }

  @Test func `metrics and the texts of faults are on a separate port`() async throws {
    let service = try await Service(arguments: ["--admin", "127.0.0.1:0"])
    let line = try await log(service, with: "message=started")
    let port = try #require(Int(line.split(separator: "admin=", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""))
    let (data, _) = try await URLSession.shared.data(from: #require(URL(string: "http://127.0.0.1:\(port)/metrics")))
    let metrics = String(decoding: data, as: UTF8.self)
    for name in ["cairn_refused_total{limit=\"requests-per-address\"} 0", "process_open_fds ", "cairn_file_bytes{file=\"database\"}"] {
      #expect(metrics.contains("\n\(name)"), "\(name)")
    }
    #expect(try await service.send("GET", "/metrics").status == 404)
    #expect(try await service.send("GET", "/readyz").status == 200)
    #expect(service.terminate() == 0)
  }

  @Test func `the start warns if no caller can create a session`() async throws {
    let service = try await Service(environment: ["CAIRN_CREATION": "operator", "CAIRN_OPERATOR_KEY": ""])
    #expect(try await log(service, with: "message=started").contains("level=warning message=\"no session can be created"))
    #expect(try await service.post("/v1/sessions", ["app": "shop"]).status == 401)
    let other = try await Service(environment: ["CAIRN_CREATION": "operator"])
    #expect(!(try await log(other, with: "message=started")).contains("no session can be created"))
  }

  @Test func `an unknown variable is reported without its value`() async throws {
    let service = try await Service(environment: ["CAIRN_PROT": "a-secret-of-mine"])
    let said = try await log(service, with: "message=started")
    #expect(said.contains(#"level=warning message=environment warning="CAIRN_PROT is not a setting; did you mean CAIRN_PORT?""#))
    #expect(!said.contains("a-secret-of-mine"))
  }

  @Test func `a key that is too short prevents the start`() async throws {
    let failure = await #expect(throws: Service.Failure.self) { try await Service(environment: ["CAIRN_OPERATOR_KEY": "too-short"]) }
    #expect(failure?.description.contains("CAIRN_OPERATOR_KEY: the key of operator is too short: it has 9 characters") ?? false)
  }

  @Test func `actions of an operator are logged at any level`() async throws {
    let service = try await Service(environment: ["CAIRN_LOG_LEVEL": "critical"])
    let session = try await service.session("shop")
    _ = try await session.act(["type": "popToRoot"], as: Service.operatorKey)
    let said = try await log(service, with: "message=audit")
    let lines = said.split(separator: "\n").filter { $0.contains("message=") }
    #expect(lines.count == 1)
    for word in ["level=notice", "address=127.0.0.1", "method=POST", "role=operator", "session=\(session.id)", "who=operator"] {
      #expect(lines[0].contains(" \(word)"), "\(lines[0])")
    }
  }

  @Test func `docs/operations.md lists every setting with its default`() throws {
    let page = try String(contentsOf: Service.root.appending(path: "docs/operations.md"), encoding: .utf8)
    for setting in Setting.all {
      #expect(
        page.contains("| `\(setting.name)` | `\(setting.variable)` | \(setting.fallback.map { "`\($0)`" } ?? "–") |"), "\(setting.name)")
    }
  }
}
