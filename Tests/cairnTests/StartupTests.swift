import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Starting and stopping` {
  /// Runs the binary to its end, and returns its exit code and output.
  private func run(_ arguments: [String], environment: [String: String] = [:], in folder: URL) throws -> (
    code: Int32, error: String, output: String
  ) {
    let log = folder.appending(path: "run-\(UUID().uuidString).txt")
    let process = try Service.launch(arguments, environment: environment, log: log)
    let code = try process.exitCode()
    return (code, try String(contentsOf: log, encoding: .utf8), process.output.text)
  }

  private func serve(_ service: Service, database: URL? = nil, port: Int = 0, apps: URL? = nil) throws -> (
    code: Int32, error: String, output: String
  ) {
    try run(
      [
        "serve", "--port", "\(port)", "--database", (database ?? service.folder.appending(path: "other.sqlite")).path,
        "--apps", (apps ?? service.folder.appending(path: "apps")).path,
      ], in: service.folder)
  }

  private func expectOneLine(
    _ result: (code: Int32, error: String, output: String), naming text: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.code != 0, sourceLocation: location)
    let lines = result.error.split(separator: "\n").filter { !$0.contains("level=") }
    #expect(lines.count == 1, "\(result.error)", sourceLocation: location)
    #expect(result.error.lowercased().contains(text), "\(result.error)", sourceLocation: location)
  }

  @Test func `a port in use is reported`() async throws {
    let service = try await Service()
    expectOneLine(try serve(service, port: service.port), naming: "port")
  }

  @Test func `a database that another Cairn has open is reported`() async throws {
    let service = try await Service()
    expectOneLine(try serve(service, database: service.database), naming: "another process of cairn")
    #expect(try await service.session("shop").created.status == 201)
  }

  @Test func `an invalid database and a folder that cannot be created are reported`() async throws {
    let service = try await Service()
    let file = service.folder.appending(path: "text.sqlite")
    try String(repeating: "this is not a database ", count: 400).write(to: file, atomically: true, encoding: .utf8)
    expectOneLine(try serve(service, database: file), naming: "not a database")
    expectOneLine(try serve(service, database: file.appending(path: "deeper/cairn.sqlite")), naming: "text.sqlite")
    expectOneLine(try serve(service, database: URL(filePath: "/proc/cairn.sqlite")), naming: "/proc/cairn.sqlite:")
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("this is not a database"))
  }

  @Test func `a start without definitions says which flag names their folder`() async throws {
    let service = try await Service()
    let apps = service.folder.appending(path: "none")
    expectOneLine(
      try serve(service, apps: apps),
      naming: "none: the folder does not exist or cannot be read; name the folder of your definitions (cairn serve --apps)")
    try FileManager.default.createDirectory(at: apps, withIntermediateDirectories: false)
    expectOneLine(try serve(service, apps: apps), naming: "name another folder (cairn serve --apps)")
  }

  @Test func `an invalid definition prevents the start, and every error is reported`() async throws {
    let service = try await Service()
    let apps = service.folder.appending(path: "wrong")
    try FileManager.default.createDirectory(at: apps, withIntermediateDirectories: true)
    let shop = try String(contentsOf: service.folder.appending(path: "apps/shop.yaml"), encoding: .utf8)
    try shop.replacingOccurrences(of: "reveal: home", with: "reveal: hme").write(
      to: apps.appending(path: "shop.yaml"), atomically: true, encoding: .utf8)
    let result = try serve(service, apps: apps)
    #expect(result.code == 1)
    #expect(result.error.contains("shop.yaml:"))
    #expect(result.error.contains("home"))
    let checked = try run(["check", apps.appending(path: "shop.yaml").path], in: service.folder)
    #expect(checked.code == 1)
    #expect(checked.error.contains("hme") || checked.output.contains("hme"))
    #expect(try run(["check", service.folder.appending(path: "apps/shop.yaml").path], in: service.folder).code == 0)
  }

  @Test func `an unknown option and a wrong value are reported`() async throws {
    let service = try await Service()
    #expect(try run(["serve", "--prot", "1"], in: service.folder).code != 0)
    #expect(try run(["serve"], environment: ["CAIRN_PORT": "many"], in: service.folder).error.contains("CAIRN_PORT"))
    #expect(try run(["serve", "--help"], in: service.folder).output.contains("--database"))
  }

  @Test func `readiness and metrics are served after the start`() async throws {
    let service = try await Service()
    _ = try await service.session("shop")
    #expect(try await service.send("GET", "/livez").status == 200)
    let ready = try await service.send("GET", "/readyz")
    #expect(ready.status == 200)
    #expect(ready.text.contains("journal"))
    let metrics = try await service.send("GET", "/metrics").text
    for name in ["http_server_request_duration_seconds", "cairn_commits_total", "cairn_queue_depth", "cairn_sessions"] {
      #expect(metrics.contains(name), "\(name)")
    }
    #expect(metrics.contains("/v1/sessions"))
    #expect(service.terminate() == 0)
  }
}
