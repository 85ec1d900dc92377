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
    connectionsPerAddress = try layers.read(.connectionsPerAddress, "a whole number from 0 (no limit) on") {
      Self.number($0, 0...1_000_000)
    }
    cacheSize = try layers.read(.cacheSize, "a whole number of MiB from 1 to 1048576") { Self.number($0, 1...1_048_576) }
    logLevel = try layers.read(
      .logLevel, "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", Logger.Level.init(rawValue:))
    operatorKey = layers.given(.operatorKey)?.text
    secretKey = layers.given(.secretKey)?.text
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
