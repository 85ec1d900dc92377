import ArgumentParser
import CairnRuntime
import Foundation

/// `cairn serve`: serves the apps of a folder over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the apps of a folder over HTTP.",
    discussion: """
      Each setting is also a variable and a key of the configuration file (--log-level: CAIRN_LOG_LEVEL, logLevel). A flag overrides \
      the variable, the variable overrides the file, and the file overrides the default.

      Only in the environment or the file:
        CAIRN_OPERATOR_KEY   the key of an operator named "operator", who can read
                             and change all sessions and apps (operatorKey).
        CAIRN_OPERATOR_KEYS  keys of several operators: NAME: KEY, separated by
                             commas (operatorKeys).
        CAIRN_SECRET_KEY     base64 of 32 bytes that encrypt secrets at rest
                             (secretKey). Without it, the first start creates the
                             key in <database>.key with mode 0600. On PostgreSQL
                             it is required.

      An operator's key has at least 16 characters. Without a key, here or in the file of operator keys, there is no operator.
      """)

  @Option(setting: "host") var host: String?
  @Option(setting: "port") var port: String?
  @Option(setting: "admin") var admin: String?
  @Option(setting: "console") var console: String?
  @Option(setting: "predict") var predict: String?
  @Option(setting: "engine") var engine: String?
  @Option(setting: "database") var database: String?
  @Option(setting: "databaseURLFile") var databaseURLFile: String?
  @Option(setting: "erasuresURLFile") var erasuresURLFile: String?
  @Option(setting: "databaseSchema") var databaseSchema: String?
  @Option(setting: "databasePrepared") var databasePrepared: String?
  @Option(setting: "databaseSignals") var databaseSignals: String?
  @Option(setting: "apps") var apps: String?
  @Flag(setting: "watch") var watch = false
  @Option(setting: "appsWritable") var appsWritable: String?
  @Option(setting: "creation") var creation: String?
  @Option(setting: "threads") var threads: String?
  @Option(setting: "connectionsPerAddress") var connectionsPerAddress: String?
  @Option(setting: "requestsPerAddress") var requestsPerAddress: String?
  @Option(setting: "requestsPerSession") var requestsPerSession: String?
  @Option(setting: "creationsPerAddress") var creationsPerAddress: String?
  @Option(setting: "failuresPerAddress") var failuresPerAddress: String?
  @Option(setting: "failuresPerSession") var failuresPerSession: String?
  @Option(setting: "sessionsPerAddress") var sessionsPerAddress: String?
  @Option(setting: "streamsPerSession") var streamsPerSession: String?
  @Option(setting: "trustedProxies") var trustedProxies: String?
  @Option(setting: "corsOrigins") var corsOrigins: String?
  @Option(setting: "operatorKeysFile") var operatorKeysFile: String?
  @Option(setting: "connections") var connections: String?
  @Option(setting: "headTimeout") var headTimeout: String?
  @Option(setting: "bodyTimeout") var bodyTimeout: String?
  @Option(setting: "answerTimeout") var answerTimeout: String?
  @Option(setting: "stopDelay") var stopDelay: String?
  @Option(setting: "cacheSize") var cacheSize: String?

  @OptionGroup var bounds: BoundsOptions

  @Option(setting: "readers") var readers: String?
  @Option(setting: "sessionTtl") var sessionTtl: String?
  @Option(setting: "historyRetention") var historyRetention: String?
  @Option(setting: "expiryShare") var expiryShare: String?
  @Option(setting: "idempotencyRetention") var idempotencyRetention: String?
  @Option(setting: "notificationRetention") var notificationRetention: String?
  @Option(setting: "logLevel") var logLevel: String?
  @Option(setting: "logFile") var logFile: String?

  @Option(help: ArgumentHelp("Configuration file. (default: CAIRN_CONFIG; otherwise config/cairn.yaml if it exists)", valueName: "file"))
  var config: String?

  @Flag(help: "Starts even if the database has lost data or is missing. Use it for one start only.")
  var acceptLoss = false

  @Flag(
    help:
      "Checks and prints the settings, apps, operators, database and ports; changes nothing. Exits with 1 if a start would fail.")
  var check = false

  func run() throws {
    if check { return try checkOnly() }
    // The signals are blocked before any other thread exists, because new threads inherit the mask. The signals are then received only by
    // `ProcessSignals.wait`.
    ProcessSignals.block()
    do throws(StartFailure) {
      let environment = ProcessInfo.processInfo.environment
      var configuration = try configuration(environment)
      configuration.acceptsLoss = acceptLoss
      let logFile = try configuration.logFile.map { path throws(StartFailure) in try LogFile(path) }
      let lines = try Self.lines(logFile)
      defer { lines.close() }
      #if canImport(CairnPostgres)
        if configuration.usesPostgres, try !DatabaseWait(configuration, Assembly.logger(configuration, lines)).run() { return }
      #endif
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

  /// The settings that were given as flags, by name.
  var given: [String: String] { givenSettings.merging(bounds.givenSettings) { $1 } }

  /// Reads the settings of all layers. Commands that use the same database also call this function. `config` is the path given with
  /// `--config`.
  static func configuration(
    flags: [String: String], config: String?, environment: [String: String]
  ) throws(StartFailure) -> Configuration {
    let layers = try layers(flags: flags, config: config, environment: environment)
    if let text = flags["database"], DatabaseURL.hasPassword(text) {
      throw .setting(
        .database(
          "the URL of the database has a password, which other users can read on the command line; use CAIRN_DATABASE, "
            + "CAIRN_DATABASE_URL_FILE or PGPASSFILE")
      )
    }
    do {
      return try Configuration(layers)
    } catch {
      throw .setting(error)
    }
  }

  /// Reads the settings of the flags, the environment and the configuration file.
  static func layers(
    flags: [String: String], config: String?, environment: [String: String]
  ) throws(StartFailure) -> SettingLayers {
    do {
      return SettingLayers(flags: flags, environment: environment, file: try file(config, environment))
    } catch {
      throw .setting(error)
    }
  }

  /// Reads the configuration file. A file that is named by the flag or by `CAIRN_CONFIG` must exist; the default file is optional.
  private static func file(_ config: String?, _ environment: [String: String]) throws(SettingFault) -> ConfigurationFile {
    let variable = environment["CAIRN_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if let path = config ?? variable { return try ConfigurationFile(path: path) }
    let usual = "config/cairn.yaml"
    return FileManager.default.fileExists(atPath: usual) ? try ConfigurationFile(path: usual) : ConfigurationFile()
  }
}
