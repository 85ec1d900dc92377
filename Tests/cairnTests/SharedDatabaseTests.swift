#if canImport(CairnPostgresTesting)
  import CairnPostgresTesting
  import CairnTesting
  import Foundation
  import FoundationNetworking
  import Glibc
  import Testing

  /// The compiled program on a PostgreSQL database.
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

    /// Starts a node on a database that is not running. Returns the node and the port at which it listens.
    private func waiting(_ port: Int) throws -> (process: ChildProcess, port: Int) {
      let process = try Service.launch(
        ["serve", "--port", "0", "--database", "postgres://cairn@127.0.0.1:\(port)/postgres"], environment: Self.secrets, log: log)
      let file = GrowingFile(log.path)
      try file.wait(for: "the wait") { $0.contains("waiting until the database can be reached") && $0.hasSuffix("\n") }
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
      try process.output.wait(forText: "No app is published. Create one with `cairn new notes`, and publish it with")
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

    /// Runs `work` while a node serves the database at `url`.
    private func node(_ url: String, _ work: (_ port: Int) async throws -> Void) async throws {
      let settings = ["CAIRN_OPERATOR_KEY": Service.operatorKey]
      let process = try Service.launch(
        ["serve", "--port", "0", "--database", url], environment: Self.secrets.merging(settings) { $1 }, log: log)
      let said = try process.output.wait(for: "the address") { $0.contains("listens on") && $0.hasSuffix("\n") }
      let digits = said.split(separator: "127.0.0.1:", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""
      try await work(try #require(Int(digits)))
      process.signal(SIGTERM)
      #expect(try process.exitCode() == 0)
    }

    @discardableResult private func send(_ method: String, _ port: Int, _ path: String, _ body: String = "") async throws -> String {
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/v1/sessions\(path)")))
      request.httpMethod = method
      request.setValue("Bearer \(Service.operatorKey)", forHTTPHeaderField: "Authorization")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      if !body.isEmpty { request.httpBody = Data(body.utf8) }
      let (data, response) = try await URLSession.shared.data(for: request)
      let text = String(decoding: data, as: UTF8.self)
      #expect([200, 201, 204].contains((response as? HTTPURLResponse)?.statusCode), "\(text)")
      return text
    }

    /// The code blocks of a page's section, without their fences.
    private func codeBlocks(_ page: String, _ section: String) throws -> [String] {
      let text = try String(contentsOf: Service.root.appending(path: page), encoding: .utf8)
      let rest = try #require(text.components(separatedBy: section).dropFirst().first)
      return rest.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map {
        $0.element.drop { $0 != "\n" }.dropFirst().description
      }
    }

    @Test func `a push joins the files of a definition, and the same definition in one file is unchanged`() async throws {
      let server = try PostgresServer.shared.get()
      let url = server.url(try server.createDatabase())
      for (name, text) in DividedApp.files {
        let file = folder.appending(path: "apps/divided/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      try Data(DividedApp.single.utf8).write(to: folder.appending(path: "single.yaml"))
      let first = try run(["apps", "push", folder.appending(path: "apps").path], url)
      #expect(first.code == 0 && first.output.hasPrefix("divided  ") && first.output.hasSuffix("  new\n"), "\(first.error)")
      for path in ["single.yaml", "apps/divided/app.yaml", "apps/divided"] {
        let again = try run(["apps", "push", folder.appending(path: path).path], url)
        #expect(again.code == 0 && again.output.hasSuffix("  unchanged\n"), "\(path): \(again.error)")
      }
      try await node(url) { port in
        let status = try await status(port, "/v1/apps/divided")
        #expect(status == 200)
      }
    }

    @Test func `the drill of a restore on the page prints what the page shows`() async throws {
      let blocks = try codeBlocks("docs/cluster.md", "\nTo practise a restore with the list in the same database")
      let lines = blocks[0].split(separator: "\n").map(String.init)
      let server = try PostgresServer.shared.get()
      let name = try server.createDatabase()
      let url = server.url(name)
      let apps = folder.appending(path: "apps")
      try FileManager.default.createDirectory(at: apps, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Service.root.appending(path: "config/apps/shop.yaml"), to: apps.appending(path: "shop.yaml"))
      #expect(try run(["apps", "push", apps.path], url).code == 0)
      func shell(_ lines: some Sequence<String>) throws -> String {
        let path = "\(Service.binary.deletingLastPathComponent().path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let settings = ["CAIRN_DATABASE": url, "PATH": path]
        let log = folder.appending(path: "shell.txt")
        let process = try ChildProcess(
          "/bin/sh", ["-c", lines.joined(separator: "\n")], environment: Self.secrets.merging(settings) { $1 }, folder: folder.path,
          output: .collected, error: .appended(log.path))
        let code = try process.exitCode()
        #expect(code == 0, "\((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        return process.output.text
      }
      var ids: [String] = []
      try await node(url) { port in
        for _ in 1...2 {
          let created = try await send("POST", port, "", #"{"app":"shop","accessToken":"t"}"#)
          let id = try #require(created.split(separator: #""id":"s"#, maxSplits: 1).last)
          ids.append("s\(id.prefix { $0 != "\"" })")
        }
        for number in 1...5 {
          try await send("POST", port, "/\(ids[1])/actions", #"{"step":"productIsPicked","params":{"productId":\#(number)}}"#)
        }
      }
      _ = try shell(lines.prefix(1))
      try await node(url) { port in
        try await send("DELETE", port, "/\(ids[0])")
        try await send("POST", port, "/\(ids[1])/forget", #"{"before":4}"#)
      }
      // The first `cairn verify` exits with 1. The shell then continues with the next line.
      let output = try shell(lines.dropFirst()).replacing("127.0.0.1:\(server.port)/\(name): ", with: "127.0.0.1:5432/cairn: ")
      let printed = output.split(separator: "\n").filter { !["DROP SCHEMA", "CREATE SCHEMA"].contains($0) }
      #expect(printed == blocks[1].split(separator: "\n"))
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
