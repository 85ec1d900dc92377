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
  var connectionsPerAddress: Int
  /// MiB of sessions that are kept ready in memory.
  var cacheSize: Int
  /// Milliseconds for which the answer to a request with an Idempotency-Key is kept.
  var idempotencyRetention: Int
  /// Milliseconds for which a notification is known again by its id; 0: never.
  var notificationRetention: Int
  var logLevel: Logger.Level
  var operatorKey: String?
  var secretKey: String?

  /// Reads all layers; a variable that is set to nothing counts as not set.
  init(flags: [Setting: String], environment: [String: String], file: ConfigurationFile) throws(SettingFault) {
    let layers = Layers(flags: flags, environment: environment, file: file)
    host = try layers.read(.host, "an address") { $0.isEmpty ? nil : $0 }
    port = try layers.read(.port, "a whole number from 0 to 65535") { Self.number($0, 0...65_535) }
    database = try layers.read(.database, "a path") { $0.isEmpty ? nil : $0 }
    apps = try layers.read(.apps, "a folder") { $0.isEmpty ? nil : $0 }
    creation = try layers.read(.creation, "one of anyone, operator", Settings.Creators.init(rawValue:))
    threads = try layers.read(.threads, "a whole number from 1 to 64") { Self.number($0, 1...64) }
    connectionsPerAddress = try layers.read(.connectionsPerAddress, "a whole number from 0 (no limit) on") {
      Self.number($0, 0...1_000_000)
    }
    cacheSize = try layers.read(.cacheSize, "a whole number of MiB from 1 to 1048576") { Self.number($0, 1...1_048_576) }
    idempotencyRetention = try layers.read(.idempotencyRetention, "a duration from 1s to 30d, such as 24h") {
      Self.duration($0, atLeast: 1_000)
    }
    notificationRetention = try layers.read(.notificationRetention, "a duration from 0s (none is known again) to 30d, such as 24h") {
      Self.duration($0, atLeast: 0)
    }
    logLevel = try layers.read(
      .logLevel, "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", Logger.Level.init(rawValue:))
    operatorKey = layers.given(.operatorKey)?.text
    secretKey = layers.given(.secretKey)?.text
  }

  /// Milliseconds, up to 30 days.
  private static func duration(_ text: String, atLeast least: Int) -> Int? {
    DurationText.milliseconds(text).flatMap { (least...2_592_000_000).contains($0) ? $0 : nil }
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
