import CairnCore
import CairnServer
import Logging

/// What `cairn serve` runs with: flags over the environment over the file over the defaults.
struct Configuration {
  var host: String
  var port: Int
  var database: String
  var apps: String
  var creation: Settings.Creators
  var threads: Int
  var connections: Int
  var connectionsPerAddress: Int
  /// How long a request's head, its body, and the reading of its answer may take in all.
  var headTimeout: Duration
  var bodyTimeout: Duration
  var answerTimeout: Duration
  /// How long it goes on as before once it is told to stop, not ready any more.
  var stopDelay: Duration
  /// MiB of sessions that are kept ready in memory.
  var cacheSize: Int
  var logLevel: Logger.Level
  var operatorKey: String?
  var secretKey: String?
  /// Goes on with what is there of a database of which something was lost: said once, at one start, so it is a flag alone.
  var acceptsLoss = false

  /// Reads all layers; a variable that is set to nothing counts as not set.
  init(flags: [Setting: String], environment: [String: String], file: ConfigurationFile) throws(SettingFault) {
    let layers = Layers(flags: flags, environment: environment, file: file)
    host = try layers.read(.host, "an address") { $0.isEmpty ? nil : $0 }
    port = try layers.read(.port, "a whole number from 0 to 65535") { Self.number($0, 0...65_535) }
    database = try layers.read(.database, "a path") { $0.isEmpty ? nil : $0 }
    apps = try layers.read(.apps, "a folder") { $0.isEmpty ? nil : $0 }
    creation = try layers.read(.creation, "one of anyone, operator", Settings.Creators.init(rawValue:))
    threads = try layers.read(.threads, "a whole number from 1 to 64") { Self.number($0, 1...64) }
    connections = try layers.read(.connections, "a whole number from 1 to 1000000") { Self.number($0, 1...1_000_000) }
    connectionsPerAddress = try layers.read(.connectionsPerAddress, "a whole number from 0 (no limit) on") {
      Self.number($0, 0...1_000_000)
    }
    let span = "a time such as 10s or 500ms, from 100ms to 1h"
    headTimeout = try layers.read(.headTimeout, span) { Self.duration($0, 100...3_600_000) }
    bodyTimeout = try layers.read(.bodyTimeout, span) { Self.duration($0, 100...3_600_000) }
    answerTimeout = try layers.read(.answerTimeout, span) { Self.duration($0, 100...3_600_000) }
    stopDelay = try layers.read(.stopDelay, "a time such as 5s, from 0s to 1h") { Self.duration($0, 0...3_600_000) }
    cacheSize = try layers.read(.cacheSize, "a whole number of MiB from 1 to 1048576") { Self.number($0, 1...1_048_576) }
    logLevel = try layers.read(
      .logLevel, "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", Logger.Level.init(rawValue:))
    operatorKey = layers.given(.operatorKey)?.text
    secretKey = layers.given(.secretKey)?.text
  }

  private static func duration(_ text: String, _ milliseconds: ClosedRange<Int>) -> Duration? {
    DurationText.milliseconds(text).flatMap { milliseconds.contains($0) ? .milliseconds($0) : nil }
  }

  private static func number(_ text: String, _ bounds: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { bounds.contains($0) ? $0 : nil }
  }
}

/// Who says what a setting is.
private struct Layers {
  let flags: [Setting: String]
  let environment: [String: String]
  let file: ConfigurationFile

  /// The uppermost layer that says something, and its name for messages.
  func given(_ setting: Setting) -> (text: String, source: String)? {
    if let flag = setting.flag, let text = flags[setting] { return (text, flag) }
    if let text = environment[setting.variable], !text.isEmpty { return (text, setting.variable) }
    return file.values[setting]
  }

  func read<Value>(_ setting: Setting, _ expected: String, _ convert: (String) -> Value?) throws(SettingFault) -> Value {
    let (text, source) = given(setting) ?? (setting.fallback ?? "", "the default of \(setting.rawValue)")
    guard let value = convert(text) else { throw .badValue(setting, value: text, source: source, expected: expected) }
    return value
  }
}
