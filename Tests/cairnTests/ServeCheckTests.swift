import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Serve --check` {
  private func check(_ service: Service, _ arguments: [String] = [], environment: [String: String] = [:]) async throws -> Finished {
    try await service.run(
      ["serve", "--check", "--apps", service.folder.appending(path: "apps").path] + arguments, environment: environment)
  }

  private func files(_ service: Service) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: service.folder.path).filter { !$0.contains("run-") && !$0.hasSuffix(".txt") })
  }

  @Test func `serve --check prints every setting with its source, and creates nothing`() async throws {
    let service = try await Service()
    _ = service.terminate()
    let file = service.folder.appending(path: "c.yaml")
    try "threads: 2\nlogLevel: warning\n".write(to: file, atomically: true, encoding: .utf8)
    let before = try files(service)
    let database = service.folder.appending(path: "new/other.sqlite").path
    let checked = try await check(
      service, ["--config", file.path, "--port", "0", "--database", database],
      environment: ["CAIRN_STOP_DELAY": "3s", "CAIRN_OPERATOR_KEY": "a-key-that-is-long-enough"])
    #expect(checked.code == 0, "\(checked.error)")
    let lines = checked.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    for line in [
      "threads 2 threads (\(file.path):1)", "logLevel warning logLevel (\(file.path):2)", "stopDelay 3s CAIRN_STOP_DELAY", "port 0 --port",
      "operatorKey set CAIRN_OPERATOR_KEY", "headTimeout 10s default", "secretKey not set default", "operator",
      "\(database) does not exist and would be created", "\(database).key would be created", "127.0.0.1 any free port",
    ] { #expect(lines.contains(line), "\(line)\n\(checked.output)") }
    #expect(lines.contains { $0.hasPrefix("shop ") && $0.hasSuffix("not set: SHOP_TOKEN_CHECK_URL") }, "\(checked.output)")
    #expect(!checked.output.contains("long-enough"))
    #expect(try files(service) == before)
  }

  @Test func `every reason for which a start would fail is reported`() async throws {
    let service = try await Service()
    let apps = service.folder.appending(path: "apps")
    try "app: broken\nroot: { flow: nobody }\n".write(to: apps.appending(path: "broken.yaml"), atomically: true, encoding: .utf8)
    let checked = try await check(
      service, ["--port", "\(service.port)", "--database", service.database.path], environment: ["CAIRN_OPERATOR_KEY": "short"])
    #expect(checked.code == 1)
    for part in ["broken.yaml:2:", "is in use", "too short", "another process of Cairn uses this database"] {
      #expect(checked.error.contains(part), "\(part)\n\(checked.error)")
    }
    #expect(try await service.session("shop").created.status == 201, "the one that runs goes on")
  }

  @Test func `an invalid setting is reported as by a start`() async throws {
    let service = try await Service()
    let checked = try await check(service, ["--port", "abc"])
    let started = try await service.run(["serve", "--port", "abc"])
    #expect(checked.code == 1 && checked.error.hasPrefix(started.error.trimmingCharacters(in: .newlines)))
  }

  @Test func `an existing database and a lost one are reported`() async throws {
    let service = try await Service()
    _ = service.terminate()
    let path = service.database.path
    #expect(try await check(service, ["--port", "0", "--database", path]).output.contains("\(path) exists\n"))
    try FileManager.default.removeItem(atPath: path)
    let lost = try await check(service, ["--port", "0", "--database", path])
    #expect(lost.code == 1 && lost.error.contains("--accept-loss"))
  }
}
