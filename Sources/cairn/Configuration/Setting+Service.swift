import CairnCore
import CairnServer
import CairnStore
import Foundation
import Logging

// Settings of storage, trust and features.
extension Setting {
  static let service: [Setting] = [
    Setting(
      "cacheSize", "Sessions kept ready in memory, in MiB.", "MiB", default: "300",
      .number(1...1_048_576, unit: "MiB", shift: 20, \.store.cache)),
    Setting(
      "readers", "Threads that read sessions which are not in memory, and history; at least 2, 0: as many as cores.", "count",
      default: "0", SettingValue("0 (by cores), or a whole number from 2 to 64", \.store.readers, readers)),
    Setting(
      "sessionTtl", "When a session ends that nothing has changed for so long, like 30d, where its definition does not say it.",
      "duration", default: "never",
      SettingValue("never, or at least 1m, like 30d", \.store.sessionTTL) { text -> Int?? in
        if text == "never" { return .some(nil) }
        return DurationText.milliseconds(text).flatMap { $0 >= 60_000 ? .some($0) : nil }
      }),
    Setting(
      "historyRetention", "How long entries of a session's history are kept, like 30d, where its definition does not say it.", "duration",
      default: "forever",
      SettingValue("forever, or at least 1m, like 30d", \.store.historyRetention) { text -> Int?? in
        if text == "forever" { return .some(nil) }
        return DurationText.milliseconds(text).flatMap { $0 >= 60_000 ? .some($0) : nil }
      }),
    Setting(
      "expiryShare", "Percent of all sessions that may end by their age in an hour; 100: any number.", "percent", default: "10",
      .number(1...100, unit: "percent", \.store.expiryShare)),
    Setting(
      "logLevel", "trace, debug, info, notice, warning, error or critical; each request is a line at info.", "level", default: "info",
      SettingValue("one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", \.logLevel) { Logger.Level(rawValue: $0) }),
    Setting(
      "logFile", "File that log lines are appended to, reopened at SIGHUP.", "file", absence: "stderr", .optionalText(\.logFile)),
    Setting(
      "operatorKeysFile", "File of operator keys, NAME: KEY on each line, read again at SIGHUP.", "file",
      .optionalText(\.operators.file)),
    Setting(secret: "operatorKeys", .sourced(\.operators.list)),
    Setting(secret: "operatorKey", .sourced(\.operators.single)),
    Setting(secret: "secretKey", .optionalText(\.secretKey)),
    Setting(
      "idempotencyRetention", "How long the answer to a request with an Idempotency-Key is kept.", "duration", default: "24h",
      .milliseconds(1_000...2_592_000_000, "a duration from 1s to 30d, such as 24h", \.store.answers)),
    Setting(
      "notificationRetention", "How long a notification is known again by its id; 0s: never.", "duration", default: "24h",
      .milliseconds(0...2_592_000_000, "a duration from 0s (none is known again) to 30d, such as 24h", \.store.messages)),
    Setting(
      "watch", "Serves definitions that are changed in the folder, as SIGHUP has it read once.", default: "false", .bool(\.isWatching)),
    Setting(
      "appsWritable", "Whether an operator may put definitions: true, false.", "whether", default: "true", .bool(\.service.isWritable)),
    Setting(
      "console", "The page for people at /console: on, off.", "switch", default: "on",
      SettingValue("on or off", \.service.hasConsole) { ["on": true, "off": false][$0] }),
    Setting(
      "predict", "Apps whose definitions clients get, to predict actions: names with commas between them, or *.", "apps",
      SettingValue("names of apps with commas between them, or *", \.service.predictable) { PredictableApps($0) }),
    Setting("engine", "Folder with the engine for clients, which `make engine` builds.", "folder", .optionalText(\.engine)),
    Setting(
      "corsOrigins", "Origins whose pages may call the service, with commas: https://app.example.", "origins",
      SettingValue(
        "origins with commas between them, each as a browser sends it: https://app.example or http://127.0.0.1:3000", \.service.origins
      ) { AllowedOrigins($0) }),
  ]

  @Sendable private static func readers(_ text: String) -> Int? {
    guard let count = SettingValue.wholeNumber(text, 0...64), count != 1 else { return nil }
    return count == 0 ? min(64, max(2, ProcessInfo.processInfo.activeProcessorCount)) : count
  }
}
