import ArgumentParser
import CairnHTTP
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Logging
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Settings of the service` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ text: String) throws -> String {
    let path = folder.appending(path: "c.yaml").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func read(_ flags: [String: String] = [:], _ environment: [String: String] = [:], _ text: String = "") throws -> Configuration {
    try Configuration(SettingLayers(flags: flags, environment: environment, file: try ConfigurationFile(path: try file(text))))
  }

  /// The message of the fault with which reading fails; `nil` if it succeeds.
  private func fault(_ flags: [String: String] = [:], _ environment: [String: String] = [:], _ text: String = "") -> String? {
    do {
      _ = try read(flags, environment, text)
      return nil
    } catch {
      return (error as? SettingFault)?.text.replacing(folder.path + "/", with: "")
    }
  }

  @Test func `a flag overrides the environment, which overrides the file, which overrides the default`() throws {
    let all = "port: 1\n"
    #expect(try read().port == 8080)
    let limits = try read().service.limits
    #expect(
      limits.requestsPerAddress == nil && limits.sessionsPerAddress == 0 && limits.proxies.isEmpty && limits.connectionsPerAddress == 256)
    #expect(try read([:], [:], all).port == 1)
    #expect(try read([:], ["CAIRN_PORT": "2"], all).port == 2)
    #expect(try read(["port": "3"], ["CAIRN_PORT": "2"], all).port == 3)
    #expect(try read([:], ["CAIRN_PORT": ""], all).port == 1)
  }

  @Test func `a definition gets no setting of the service, and no variable of the database's client library`() {
    let environment = [
      "SHOP_URL": "http://shop.example", "PGPASSWORD": "word", "PGHOST": "db", "PGPASSFILE": "/pass", "PGSERVICE": "s",
      "CAIRN_SECRET_KEY": "k",
      "CAIRN_DATABASE": "postgres://db/cairn", "CAIRN_OPERATOR_KEYS_FILE": "/keys", "OTHER": "postgres://u:p@db/x",
    ]
    let variable = Setting.forDefinitions(environment)
    #expect(environment.keys.filter { variable($0) != nil } == ["SHOP_URL"])
  }

  @Test func `every setting can be set in the environment`() throws {
    let read = try read(
      [:],
      [
        "CAIRN_HOST": "::1", "CAIRN_PORT": "9", "CAIRN_DATABASE": "d", "CAIRN_APPS": "a", "CAIRN_CREATION": "operator",
        "CAIRN_THREADS": "2",
        "CAIRN_CONNECTIONS": "12", "CAIRN_HEAD_TIMEOUT": "1500ms", "CAIRN_BODY_TIMEOUT": "2s", "CAIRN_ANSWER_TIMEOUT": "1m",
        "CAIRN_STOP_DELAY": "5s",
        "CAIRN_CONNECTIONS_PER_ADDRESS": "0", "CAIRN_CACHE_SIZE": "5", "CAIRN_LOG_LEVEL": "warning", "CAIRN_OPERATOR_KEY": "o",
        "CAIRN_SECRET_KEY": "s", "CAIRN_ADMIN": "[::1]:9", "CAIRN_REQUESTS_PER_ADDRESS": "1/s", "CAIRN_REQUESTS_PER_SESSION": "2/s",
        "CAIRN_CREATIONS_PER_ADDRESS": "3/m", "CAIRN_FAILURES_PER_ADDRESS": "4/h", "CAIRN_FAILURES_PER_SESSION": "5/d",
        "CAIRN_SESSIONS_PER_ADDRESS": "6", "CAIRN_TRUSTED_PROXIES": "10.0.0.0/8, ::1", "CAIRN_OPERATOR_KEYS": "a: b",
        "CAIRN_OPERATOR_KEYS_FILE": "f", "CAIRN_STREAMS_PER_SESSION": "7",
        "CAIRN_IDEMPOTENCY_RETENTION": "90s", "CAIRN_NOTIFICATION_RETENTION": "0s", "CAIRN_CORS_ORIGINS": "https://app.example",
      ])
    #expect(read.admin?.host == "[::1]" && read.admin?.port == 9)
    #expect(read.service.limits.requestsPerAddress == Rate("1/s") && read.service.limits.requestsPerSession == Rate("2/s"))
    #expect(read.service.limits.creationsPerAddress == Rate("3/m") && read.service.limits.failuresPerAddress == Rate("4/h"))
    #expect(read.service.limits.failuresPerSession == Rate("5/d") && read.service.limits.sessionsPerAddress == 6)
    #expect(
      read.service.limits.proxies.contains("10.1.1.1") && read.service.limits.proxies.contains("::1")
        && !read.service.limits.proxies.contains("::2"))
    #expect(read.operators.list?.text == "a: b" && read.operators.file == "f")
    #expect(
      read.host == "::1" && read.port == 9 && read.database == "d" && read.apps == "a" && "\(read.service.creation)" == "operatorOnly")
    #expect(read.threads == 2 && read.http.connectionsPerAddress == 0 && read.store.cache == 5 << 20 && read.logLevel == .warning)
    #expect(read.operators.single?.text == "o" && read.secretKey == "s")
    #expect(read.http.connections == 12 && read.http.head == .milliseconds(1500) && read.http.upload == .seconds(2))
    #expect(read.http.download == .seconds(60) && read.stopDelay == .seconds(5))
    #expect(read.store.answers == 90_000 && read.store.messages == 0 && read.service.streamsPerSession == 7)
    #expect(read.service.origins == AllowedOrigins("https://app.example"))
  }

  @Test func `every setting can be set in the file, and the shipped file changes no default`() throws {
    let read = try read(
      [:], [:],
      """
      host: 0.0.0.0
      port: 0
      database: d
      apps: a
      creation: operator
      threads: 64
      connections: 8
      connectionsPerAddress: 7
      headTimeout: 1s
      bodyTimeout: 2s
      answerTimeout: 3s
      stopDelay: 4s
      cacheSize: 9
      idempotencyRetention: 30d
      notificationRetention: 1m
      logLevel: error
      operatorKey: "123"
      secretKey: s
      """)
    #expect(
      read.host == "0.0.0.0" && read.port == 0 && read.database == "d" && read.apps == "a" && "\(read.service.creation)" == "operatorOnly")
    #expect(read.threads == 64 && read.http.connectionsPerAddress == 7 && read.store.cache == 9 << 20 && read.logLevel == .error)
    #expect(read.operators.single?.text == "123" && read.secretKey == "s")
    #expect(read.http.connections == 8 && read.http.head == .seconds(1) && read.http.upload == .seconds(2))
    #expect(read.http.download == .seconds(3) && read.stopDelay == .seconds(4))
    #expect(read.store.answers == 2_592_000_000 && read.store.messages == 60_000)
    let shipped = try ConfigurationFile(path: Service.root.appending(path: "config/cairn.yaml").path)
    #expect(shipped.values.isEmpty)
  }

  @Test func `the shipped file shows every setting with its default`() throws {
    let text = try String(contentsOf: Service.root.appending(path: "config/cairn.yaml"), encoding: .utf8)
    for setting in Setting.all { #expect(text.contains("# \(setting.name): \(setting.fallback ?? "…")"), "\(setting.name)") }
  }

  @Test(arguments: [
    ("prot: 1", "c.yaml:1: the setting prot is unknown; did you mean port?"),
    ("port: 1\nnothing: 1", "c.yaml:2: the setting nothing is unknown; the settings are host, port"),
    ("port: [1]", "port (c.yaml:1) must be a single value"),
    ("port: 1\nport: 2", "c.yaml: each setting must be set only once, but these are set more than once: port"),
    ("threads: 0", "threads (c.yaml:1) must be a whole number from 1 to 64, not \"0\""),
    ("- a", "c.yaml: the file must be a mapping of settings"),
    ("a: {", "c.yaml: the file is not YAML: line"),
  ])
  func `an error in a file is reported with its position`(text: String, message: String) {
    let fault = fault([:], [:], text)
    #expect(fault?.hasPrefix(message) ?? false, "\(fault ?? "nothing")")
  }

  @Test func `a wrong value is reported with its source`() {
    #expect(fault(["port": "-1"]) == "--port must be a whole number from 0 to 65535, not \"-1\"")
    #expect(fault(["connectionsPerAddress": "x"])?.hasPrefix("--connections-per-address must be") ?? false)
    for text in ["0s", "31d", "24", "-1s", "soon"] {
      #expect(fault(["idempotencyRetention": text])?.hasPrefix("--idempotency-retention must be a duration from 1s to 30d") ?? false)
    }
    #expect(fault(["notificationRetention": "31d"])?.hasPrefix("--notification-retention must be a duration from 0s") ?? false)
    #expect(fault([:], ["CAIRN_CREATION": "nobody"]) == "CAIRN_CREATION must be anyone or operator, not \"nobody\"")
    #expect(fault([:], ["CAIRN_LOG_LEVEL": "loud"])?.hasPrefix("CAIRN_LOG_LEVEL must be one of trace, debug") ?? false)
  }

  @Test(arguments: [
    ("requestsPerAddress", "many", "off, or a rate such as 100/s, 600/m or 50/h"), ("creationsPerAddress", "0/s", "off, or a rate"),
    ("sessionsPerAddress", "-1", "a whole number from 0"), ("admin", "9090", "an address and a port, such as 127.0.0.1:9090"),
    ("admin", ":9090", "an address and a port"), ("admin", "localhost:99999", "an address and a port"),
    ("trustedProxies", "10.0.0.0/8, proxy.example", "addresses and networks separated by commas"),
  ])
  func `an unreadable limit, network or path is reported`(name: String, value: String, message: String) throws {
    let setting = try #require(Setting.named(name))
    let fault = fault([:], [setting.variable: value])
    #expect(fault?.hasPrefix("\(setting.variable) must be \(message)") ?? false, "\(fault ?? "nothing")")
  }

  @Test func `a limit can be turned off`() throws {
    #expect(try read([:], ["CAIRN_REQUESTS_PER_ADDRESS": "off"], "requestsPerAddress: 1/s\n").service.limits.requestsPerAddress == nil)
    #expect(try read([:], ["CAIRN_REQUESTS_PER_ADDRESS": "0"]).service.limits.requestsPerAddress == nil)
  }

  @Test func `an unknown variable is reported with the nearest name, except for a variable of a definition`() {
    let environment = [
      "CAIRN_PROT": "1", "CAIRN_OPERATORKEY": "a-secret", "CAIRN_SHOP_URL": "x", "CAIRN_CONFIG": "c", "CAIRN_LOG_LEVEL": "info",
      "PATH": "p",
      "CAIRN_STRICT": "1", "CAIRN_SERVICE_HOST": "10.0.0.1",
    ]
    #expect(
      UnknownVariables(in: environment, named: ["CAIRN_SHOP_URL"]).texts == [
        "CAIRN_OPERATORKEY is not a setting; did you mean CAIRN_OPERATOR_KEY?", "CAIRN_PROT is not a setting; did you mean CAIRN_PORT?",
        "CAIRN_SERVICE_HOST is not a setting",
      ])
  }

  @Test func `settings with secrets have no flag`() {
    #expect(Setting.all.filter { $0.flag == nil }.map(\.name) == ["operatorKeys", "operatorKey", "secretKey"])
    #expect(Setting.named("connectionsPerAddress")?.flag == "--connections-per-address")
    #expect(Setting.named("operatorKey")?.variable == "CAIRN_OPERATOR_KEY")
  }

  @Test func `every setting without a secret is an option of serve, with the help text of its row`() {
    let help = ServeCommand.helpMessage(columns: 1_000).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for setting in Setting.all where !setting.isSecret {
      let flag = setting.name == "watch" ? "--watch" : "\(setting.flag ?? "") <\(setting.valueName ?? setting.name)>"
      #expect(help.contains(" \(flag) \(setting.help) ("), "\(setting.name)")
    }
    let words = help.split(separator: " ").filter { $0.hasPrefix("--") }.map { $0.trimmingCharacters(in: .punctuationCharacters) }
    let flags: Set<String> = Set(words).intersection(Setting.all.compactMap(\.flag).map { String($0.dropFirst(2)) })
    #expect(flags.count == Setting.all.count { !$0.isSecret })
    #expect(Set(words).subtracting(flags) == ["config", "accept-loss", "check", "help"])
  }

  @Test func `only given options become settings of the command line`() throws {
    let command = try ServeCommand.parse(["--port", "1", "--watch", "--shortest-timer", "5ms", "--config", "c.yaml", "--check"])
    #expect(command.given == ["port": "1", "watch": "true", "shortestTimer": "5ms"])
    #expect(try ServeCommand.parse([]).given.isEmpty)
  }

  @Test func `the curl lines that serve prints can be run unchanged`() throws {
    let process = try Service.launch(
      ["serve", "--port", "0", "--database", "d.sqlite", "--apps", Service.root.appending(path: "config/apps").path], environment: [:],
      log: folder.appending(path: "log.txt"))
    let said = try process.output.wait(for: "the banner") { $0.split(separator: "\n").count >= 5 }
    let lines = said.split(separator: "\n").filter { $0.hasPrefix("  curl") }
    #expect(lines.count == 3)
    let script = lines.map { $0.replacing("curl -s", with: "curl -sf") }.joined(separator: "\n")
    let bash = try ChildProcess("/bin/bash", ["-euc", script], folder: folder.path, output: .collected)
    #expect(try bash.exitCode() == 0)
    let text = bash.output.text
    #expect(text.contains("\"apps\"") && text.contains("\"secret\"") && text.hasSuffix("}]\n"))
  }
}
