#if canImport(CairnPostgresTesting)
  import CairnPostgresTesting
  import CairnTesting
  import Foundation
  import FoundationNetworking
  import Glibc
  import Testing

  /// The built binary on a PostgreSQL database.
  @Suite(.tags(.timing), .ownThreads) struct `Commands on a shared database` {
    private let folder: URL
    private static let secrets = ["CAIRN_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString()]

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var log: URL { folder.appending(path: "log.txt") }

    private func run(_ arguments: [String], _ database: String, _ settings: [String: String] = [:]) throws -> Finished {
      let log = folder.appending(path: "run-\(UUID().uuidString).txt")
      let environment = Self.secrets.merging(["CAIRN_DATABASE": database]) { $1 }.merging(settings) { $1 }
      let process = try Service.launch(arguments, environment: environment, log: log)
      return Finished(code: try process.exitCode(), output: process.output.text, error: try String(contentsOf: log, encoding: .utf8))
    }

    /// Starts a node on a database that is off, and returns it with the port on which it waits.
    private func waiting(_ port: Int) throws -> (process: ChildProcess, port: Int) {
      let process = try Service.launch(
        ["serve", "--port", "0", "--database", "postgres://cairn@127.0.0.1:\(port)/postgres"], environment: Self.secrets, log: log)
      let file = GrowingFile(log.path)
      try file.wait(for: "the wait") { $0.contains("waiting for the database") && $0.hasSuffix("\n") }
      let text = try String(contentsOf: log, encoding: .utf8)
      let digits = text.split(separator: " port=", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""
      return (process, try #require(Int(digits), "\(text)"))
    }

    private func status(_ port: Int, _ path: String) async throws -> Int {
      let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
      return try await (URLSession.shared.data(from: url).1 as? HTTPURLResponse)?.statusCode ?? 0
    }

    @Test func `a node that is started before its database lives and is not ready, and serves once the database is there`() async throws {
      let reserved = try PostgresServer.ReservedPort()
      let (process, port) = try waiting(reserved.port)
      #expect(try await status(port, "/livez") == 200)
      #expect(try await status(port, "/readyz") == 503)
      #expect(try await status(port, "/v1/apps") == 503)
      let server = try PostgresServer(reserved: reserved)
      try process.output.wait(for: "the address") { $0.contains("listens on") }
      process.signal(SIGTERM)
      #expect(try process.exitCode() == 0)
      withExtendedLifetime((server, reserved)) {}
    }

    @Test func `Ctrl-C ends the wait for a database`() throws {
      let reserved = try PostgresServer.ReservedPort()
      let process = try waiting(reserved.port).process
      process.signal(SIGINT)
      #expect(try process.exitCode() == 0)
      withExtendedLifetime(reserved) {}
    }

    @Test func `a start with a wrong password, an unknown database or tables of a newer version is refused at once`() throws {
      let server = try PostgresServer.shared.get()
      let name = try server.createDatabase()
      let newer = server.url(name)
      #expect(try run(["migrate"], newer).code == 0)
      try server.run("psql", ["-c", "INSERT INTO cairn.migrations (number, name) VALUES (99, 'later')", newer])
      for (url, reason) in [
        (server.url(user: "locked:wrong"), "authentication failed"), (server.url("nowhere"), "does not exist"),
        (newer, "start a newer version"),
      ] {
        let ended = try run(["serve", "--port", "0"], url)
        #expect(ended.code == 1 && ended.error.contains(reason), "\(ended.error)")
      }
    }

    @Test func `a copy names what a put or an import would refuse, and nothing is copied before that is accepted`() async throws {
      let wide = ["CAIRN_SHORTEST_TIMER": "1ms"]
      let service = try await Service(environment: Self.secrets.merging(wide) { $1 }, apps: ["fast.yaml": Service.fast])
      _ = try await service.session("fast")
      #expect(service.terminate() == 0)
      let server = try PostgresServer.shared.get()
      let url = server.url(try server.createDatabase())
      let copy = ["copy", service.database.path]
      let refused = try run(copy, url)
      #expect(
        refused.code == 1 && refused.error.contains("at least 100ms") && refused.error.contains("--accept-findings"), "\(refused.error)")
      let tables = try server.run(
        "psql", ["-XAtq", "-c", "SELECT count(*) FROM information_schema.tables WHERE table_name = 'heads'", url])
      #expect(tables == "0\n")
      #expect(try run(copy, url, wide).code == 0)
      let other = server.url(try server.createDatabase())
      #expect(try run(copy + ["--accept-findings"], other).code == 0)
    }

    @Test func `each command takes the schema, and a push that has ended is no node`() throws {
      let server = try PostgresServer.shared.get()
      let url = server.url(try server.createDatabase())
      let schema = ["--database-schema", "team_a"]
      let apps = Service.root.appending(path: "config/apps").path
      for arguments in [["migrate"], ["apps", "push", apps], ["verify"], ["nodes"], ["restore", "--erasures"]] {
        let ended = try run(arguments + schema, url)
        #expect(ended.code == 0, "\(arguments): \(ended.error)")
        if arguments == ["nodes"] { #expect(ended.output == "") }
      }
      let tables = try server.run(
        "psql",
        ["-XAtq", "-c", "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_name IN ('heads', 'erasures')", url])
      #expect(Set(tables.split(separator: "\n")) == ["team_a", "team_a_erasures"])
      let copied = try run(["copy", folder.appending(path: "none.sqlite").path] + schema, url)
      #expect(copied.code == 1 && !copied.error.contains("Unknown option"), "\(copied.error)")
    }
  }
#endif
