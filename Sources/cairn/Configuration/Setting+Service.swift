import CairnCore
import CairnServer
import CairnStore
import Foundation
import Logging

// Settings of storage, trust and features.
extension Setting {
  static let service: [Setting] = [
    Setting(
      "cacheSize", "Size of the cache of sessions in memory, in MiB.", "MiB", default: "300",
      .number(1...1_048_576, unit: "MiB", shift: 20, \.store.cache)),
    Setting(
      "readers", "Number of threads that read history and sessions that are not in memory, at least 2; 0 means one per core.", "count",
      default: "0", SettingValue("0 (one per core), or a whole number from 2 to 64", \.store.readers, readers)),
    Setting(
      "sessionTtl", "Time without a change after which a session expires, such as 30d, unless its definition sets a time.",
      "duration", default: "never",
      SettingValue("never, or a duration of at least 1m, such as 30d", \.store.sessionTTL) { text -> Int?? in
        if text == "never" { return .some(nil) }
        return DurationText.milliseconds(text).flatMap { $0 >= 60_000 ? .some($0) : nil }
      }),
    Setting(
      "historyRetention", "Time for which entries of a session's history are kept, such as 30d, unless its definition sets a time.",
      "duration",
      default: "forever",
      SettingValue("forever, or a duration of at least 1m, such as 30d", \.store.historyRetention) { text -> Int?? in
        if text == "forever" { return .some(nil) }
        return DurationText.milliseconds(text).flatMap { $0 >= 60_000 ? .some($0) : nil }
      }),
    Setting(
      "expiryShare",
      """
      Maximum percentage of all sessions that may expire per hour, but at least 100 sessions; 100 means no limit. Sessions with a time to \
      live of up to 1d are exempt.
      """,
      "percent", default: "10",
      .number(1...100, unit: "percent", \.store.expiryShare)),
    Setting(
      "logLevel", "Minimum level of log lines: trace, debug, info, notice, warning, error or critical; each request is a line at info.",
      "level", default: "info",
      SettingValue("one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", \.logLevel) { Logger.Level(rawValue: $0) }),
    Setting(
      "logFile", "File to which log lines are appended; reopened at SIGHUP.", "file", absence: "stderr", .optionalText(\.logFile)),
    Setting(
      "operatorKeysFile", "File of operator keys, with NAME: KEY on each line; read again at SIGHUP.", "file",
      .optionalText(\.operators.file)),
    Setting(secret: "operatorKeys", .sourced(\.operators.list)),
    Setting(secret: "operatorKey", .sourced(\.operators.single)),
    Setting(secret: "secretKey", .optionalText(\.secretKey)),
    Setting(
      "idempotencyRetention", "Time for which the response to a request with an Idempotency-Key is stored.", "duration", default: "24h",
      .milliseconds(1_000...2_592_000_000, "a duration from 1s to 30d, such as 24h", \.store.answers)),
    Setting(
      "notificationRetention", "Time for which the id of a notification is stored to detect a repeat; 0s disables this.", "duration",
      default: "24h",
      .milliseconds(0...2_592_000_000, "a duration from 0s (no repeat is detected) to 30d, such as 24h", \.store.messages)),
    Setting(
      "watch",
      "Whether a changed file in the folder of definitions is served at once. Otherwise the folder is read only at the start and at SIGHUP.",
      default: "false", .bool(\.isWatching)),
    Setting(
      "appsWritable", "Whether operators may store definitions and migrations over the API: true or false.", "whether", default: "true",
      .bool(\.service.isWritable)),
    Setting(
      "console", "Whether the console is served at /console: on or off.", "switch", default: "on",
      SettingValue("on or off", \.service.hasConsole) { ["on": true, "off": false][$0] }),
    Setting(
      "predict", "Apps whose definitions clients may download to predict actions: names separated by commas, or * for all apps.", "apps",
      SettingValue("names of apps separated by commas, or *", \.service.predictable) { PredictableApps($0) }),
    Setting(
      "engine", "Folder with the engine for clients, from a package or built by `make engine`; without it, the service serves no engine.",
      "folder",
      .optionalText(\.engine)),
    Setting(
      "corsOrigins", "Origins whose pages may call the service, separated by commas: https://app.example.", "origins",
      SettingValue(
        "origins separated by commas, each as a browser sends it: https://app.example or http://127.0.0.1:3000", \.service.origins
      ) { AllowedOrigins($0) }),
  ]

  @Sendable private static func readers(_ text: String) -> Int? {
    guard let count = SettingValue.wholeNumber(text, 0...64), count != 1 else { return nil }
    return count == 0 ? min(64, max(2, ProcessInfo.processInfo.activeProcessorCount)) : count
  }
}
