import ArgumentParser
import CairnRuntime
import Foundation

/// `cairn serve`.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the apps of a folder over HTTP.",
    discussion: """
      Each setting is also a variable and a key of the configuration file (--log-level: CAIRN_LOG_LEVEL, logLevel). Flags win over the \
      environment, the environment over the file, the file over the defaults.

      By environment or file only:
        CAIRN_OPERATOR_KEY      opens every session, lists them, sets facts (operatorKey); of an operator named "operator".
        CAIRN_OPERATOR_KEYS     the same for several: NAME: KEY, with commas between them (operatorKeys).
      A key has at least 16 characters. Without one, here or in the file of operator keys, there is no operator.
        CAIRN_SECRET_KEY        base64 of 32 bytes, encrypts tokens at rest (secretKey). Without it the key is kept in <database>.key, \
      mode 0600, made at the first start.
      """)

  @Option(help: "Address to listen on. (default: 127.0.0.1; CAIRN_HOST)")
  var host: String?
  @Option(help: "Port to listen on; 0: a free one. (default: 8080; CAIRN_PORT)")
  var port: String?
  @Option(
    help: ArgumentHelp(
      "Address and port for /metrics and /readyz with the texts of faults, which are then for nobody else. (default: none; CAIRN_ADMIN)",
      valueName: "host:port"))
  var admin: String?
  @Option(help: ArgumentHelp("The page for people at /console: on, off. (default: on; CAIRN_CONSOLE)", valueName: "switch"))
  var console: String?
  @Option(help: ArgumentHelp("SQLite database, made when it is not there. (default: var/cairn.sqlite; CAIRN_DATABASE)", valueName: "file"))
  var database: String?
  @Option(help: ArgumentHelp("Folder of the definitions. (default: config/apps; CAIRN_APPS)", valueName: "folder"))
  var apps: String?
  @Flag(help: "Serves definitions that are changed in the folder, as SIGHUP has it read once. (CAIRN_WATCH)")
  var watch = false
  @Option(
    help: ArgumentHelp(
      "Whether an operator may put definitions: true, false. (default: true; CAIRN_APPS_WRITABLE)", valueName: "whether"))
  var appsWritable: String?
  @Option(help: ArgumentHelp("Who may start sessions: anyone, operator. (default: anyone; CAIRN_CREATION)", valueName: "who"))
  var creation: String?
  @Option(help: ArgumentHelp("Threads that serve connections. (default: 1; CAIRN_THREADS)", valueName: "count"))
  var threads: String?
  @Option(
    help: ArgumentHelp(
      "Open connections from one address at most; 0: no limit, for a place behind a proxy. (default: 256; CAIRN_CONNECTIONS_PER_ADDRESS)",
      valueName: "count"))
  var connectionsPerAddress: String?
  @Option(
    help: ArgumentHelp(
      "Requests from one address, such as 100/s, 600/m; more get 429. (default: off; CAIRN_REQUESTS_PER_ADDRESS)", valueName: "rate"))
  var requestsPerAddress: String?
  @Option(help: ArgumentHelp("Requests of one session. (default: off; CAIRN_REQUESTS_PER_SESSION)", valueName: "rate"))
  var requestsPerSession: String?
  @Option(help: ArgumentHelp("Sessions started from one address. (default: off; CAIRN_CREATIONS_PER_ADDRESS)", valueName: "rate"))
  var creationsPerAddress: String?
  @Option(help: ArgumentHelp("Wrong credentials from one address. (default: off; CAIRN_FAILURES_PER_ADDRESS)", valueName: "rate"))
  var failuresPerAddress: String?
  @Option(help: ArgumentHelp("Wrong credentials for one session. (default: off; CAIRN_FAILURES_PER_SESSION)", valueName: "rate"))
  var failuresPerSession: String?
  @Option(
    help: ArgumentHelp(
      "Living sessions that one address has started, since the start of the service; 0: no limit. (default: 0; CAIRN_SESSIONS_PER_ADDRESS)",
      valueName: "count"))
  var sessionsPerAddress: String?
  @Option(
    help: ArgumentHelp(
      "Streams of one session's events at once, beside the operators'; one more gets 429. (default: 64; CAIRN_STREAMS_PER_SESSION)",
      valueName: "count"))
  var streamsPerSession: String?
  @Option(
    help: ArgumentHelp(
      "Proxies whose Forwarded and X-Forwarded-For are believed: 10.0.0.0/8,::1. (default: none; CAIRN_TRUSTED_PROXIES)",
      valueName: "networks"))
  var trustedProxies: String?
  @Option(
    help: ArgumentHelp(
      "Origins whose pages may call the service, with commas: https://app.example. (default: none; CAIRN_CORS_ORIGINS)",
      valueName: "origins"))
  var corsOrigins: String?
  @Option(
    help: ArgumentHelp(
      "File of operator keys, NAME: KEY on each line, read again at SIGHUP. (default: none; CAIRN_OPERATOR_KEYS_FILE)", valueName: "file"))
  var operatorKeysFile: String?
  @Option(
    help: ArgumentHelp(
      "Open connections at most; while there are so many, new ones wait a second and are then answered 503. (default: 4096; CAIRN_CONNECTIONS)",
      valueName: "count"))
  var connections: String?
  @Option(help: ArgumentHelp("How long the head of a request may take in all. (default: 10s; CAIRN_HEAD_TIMEOUT)", valueName: "time"))
  var headTimeout: String?
  @Option(help: ArgumentHelp("How long the body of a request may take in all. (default: 30s; CAIRN_BODY_TIMEOUT)", valueName: "time"))
  var bodyTimeout: String?
  @Option(help: ArgumentHelp("How long a client may read an answer in all. (default: 30s; CAIRN_ANSWER_TIMEOUT)", valueName: "time"))
  var answerTimeout: String?
  @Option(
    help: ArgumentHelp(
      "How long to go on, no longer ready, when told to stop: until the balancer in front knows. (default: 0s; CAIRN_STOP_DELAY)",
      valueName: "time"))
  var stopDelay: String?
  @Option(help: ArgumentHelp("Sessions kept ready in memory, in MiB. (default: 300; CAIRN_CACHE_SIZE)", valueName: "MiB"))
  var cacheSize: String?
  @OptionGroup(title: "Bounds")
  var bounds: BoundsOptions
  @Option(
    help: ArgumentHelp(
      "Threads that read sessions which are not in memory, and history; at least 2, 0: as many as cores. (default: 0; CAIRN_READERS)",
      valueName: "count"))
  var readers: String?
  @Option(
    help: ArgumentHelp(
      "When a session ends that nothing has changed for so long, like 30d, where its definition does not say it. (default: never; CAIRN_SESSION_TTL)",
      valueName: "duration"))
  var sessionTtl: String?
  @Option(
    help: ArgumentHelp(
      "Percent of all sessions that may end by their age in an hour; 100: any number. (default: 10; CAIRN_EXPIRY_SHARE)",
      valueName: "percent"))
  var expiryShare: String?
  @Option(
    help: ArgumentHelp(
      "How long the answer to a request with an Idempotency-Key is kept. (default: 24h; CAIRN_IDEMPOTENCY_RETENTION)", valueName: "duration"
    ))
  var idempotencyRetention: String?
  @Option(
    help: ArgumentHelp(
      "How long a notification is known again by its id; 0s: never. (default: 24h; CAIRN_NOTIFICATION_RETENTION)", valueName: "duration"))
  var notificationRetention: String?
  @Option(
    help: ArgumentHelp(
      "trace, debug, info, notice, warning, error or critical; a line a request comes at info. (default: info; CAIRN_LOG_LEVEL)",
      valueName: "level"))
  var logLevel: String?
  @Option(
    help: ArgumentHelp("File that log lines are appended to, reopened at SIGHUP. (default: stderr; CAIRN_LOG_FILE)", valueName: "file"))
  var logFile: String?
  @Option(help: ArgumentHelp("Configuration file. (default: config/cairn.yaml if it is there; CAIRN_CONFIG)", valueName: "file"))
  var config: String?

  @Flag(help: "Goes on with what is there of a database of which something was lost, or without it. For one start.")
  var acceptLoss = false

  @Flag(
    help:
      "Says what would be served with which settings, and who says so; starts nothing, writes nothing. Exits with 1 if a start would fail.")
  var check = false

  func run() throws {
    if check { return try checkOnly() }
    // Before any other thread is there: they all inherit that these signals are waited for, not delivered.
    ProcessSignals.block()
    do throws(StartFailure) {
      let environment = ProcessInfo.processInfo.environment
      var configuration = try configuration(environment)
      configuration.acceptsLoss = acceptLoss
      let logFile = try configuration.logFile.map { path throws(StartFailure) in try LogFile(path) }
      let lines = try Self.lines(logFile)
      defer { lines.close() }
      let assembly = try Assembly(configuration, environment: environment, lines: lines, logFile: logFile)
      assembly.greet()
      assembly.runUntilSignal()
    } catch {
      Terminal.complain("cairn: \(error.text)")
      throw ExitCode(1)
    }
  }

  private func checkOnly() throws {
    do throws(StartFailure) {
      let environment = ProcessInfo.processInfo.environment
      var check = ServeCheck(try Self.layers(flags: given, config: config, environment: environment), environment)
      check.acceptsLoss = acceptLoss
      check.run()
      for line in check.lines { Terminal.print(line) }
      for fault in check.faults { Terminal.complain("cairn: \(fault)") }
      if !check.faults.isEmpty { throw StartFailure.tool("a start would fail") }
    } catch {
      Terminal.complain("cairn: \(error.text)")
      throw ExitCode(1)
    }
  }

  private static func lines(_ file: LogFile?) throws(StartFailure) -> LogQueue {
    do {
      guard let file else { return try LogQueue() }
      return try LogQueue { file.write($0) }
    } catch {
      throw .thread(error)
    }
  }

  private func configuration(_ environment: [String: String]) throws(StartFailure) -> Configuration {
    try Self.configuration(flags: given, config: config, environment: environment)
  }

  /// The flags that were given.
  private var given: [Setting: String] {
    let flags: [Setting: String?] = [
      .host: host, .port: port, .database: database, .apps: apps, .watch: watch ? "true" : nil, .appsWritable: appsWritable,
      .creation: creation, .console: console, .threads: threads,
      .admin: admin, .connectionsPerAddress: connectionsPerAddress, .requestsPerAddress: requestsPerAddress,
      .requestsPerSession: requestsPerSession, .creationsPerAddress: creationsPerAddress, .failuresPerAddress: failuresPerAddress,
      .failuresPerSession: failuresPerSession, .sessionsPerAddress: sessionsPerAddress, .streamsPerSession: streamsPerSession,
      .trustedProxies: trustedProxies,
      .operatorKeysFile: operatorKeysFile, .corsOrigins: corsOrigins,
      .connections: connections, .headTimeout: headTimeout, .bodyTimeout: bodyTimeout,
      .answerTimeout: answerTimeout, .stopDelay: stopDelay, .cacheSize: cacheSize, .readers: readers,
      .sessionTtl: sessionTtl, .expiryShare: expiryShare, .logFile: logFile, .idempotencyRetention: idempotencyRetention,
      .notificationRetention: notificationRetention, .logLevel: logLevel,
    ]
    return flags.merging(bounds.flags) { $1 }.compactMapValues { $0 }
  }

  /// What all layers say, for the commands that are about the same database too. `config`: the file that was named.
  static func configuration(
    flags: [Setting: String], config: String?, environment: [String: String]
  ) throws(StartFailure) -> Configuration {
    let layers = try layers(flags: flags, config: config, environment: environment)
    do {
      return try Configuration(layers)
    } catch {
      throw .setting(error)
    }
  }

  /// What flags, environment and file say.
  static func layers(
    flags: [Setting: String], config: String?, environment: [String: String]
  ) throws(StartFailure) -> SettingLayers {
    do {
      return SettingLayers(flags: flags, environment: environment, file: try file(config, environment))
    } catch {
      throw .setting(error)
    }
  }

  /// The file that was named, which must be there; else the usual one, which need not.
  private static func file(_ config: String?, _ environment: [String: String]) throws(SettingFault) -> ConfigurationFile {
    let variable = environment["CAIRN_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if let path = config ?? variable { return try ConfigurationFile(path: path) }
    let usual = "config/cairn.yaml"
    return FileManager.default.fileExists(atPath: usual) ? try ConfigurationFile(path: usual) : ConfigurationFile()
  }
}
