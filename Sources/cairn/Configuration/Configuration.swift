import CairnHTTP
import CairnServer
import CairnStore
import Foundation
import Logging

/// The configuration of `cairn serve`. Flags take precedence over the environment, then the configuration file, then the defaults. Each
/// `Setting` determines the member that stores its value.
struct Configuration {
  var host = ""
  var port = 0
  /// The path of a SQLite database, or the URL of a PostgreSQL database.
  var database = ""
  var databaseURLFile: String?
  var databaseSchema = ""
  /// The file with the URL of the database that has the list of erasures; `nil` if the list is in `database`.
  var erasuresURLFile: String?
  var databasePrepared = true
  var databaseSignals = true
  var apps = ""
  /// Whether the folder of the definitions is watched.
  var isWatching = false
  var threads = 1
  /// The address that serves metrics and the causes of failures; `nil` if the public port serves them.
  var admin: (host: String, port: Int)?
  /// The limits of the HTTP server on the public port.
  var http = Limits()
  /// The settings of the endpoints. `cairn serve` adds the operators, the engine, the version and the environment when it starts.
  var service = Settings()
  /// Limits of sessions, and the retention times.
  var store = StoreLimits()
  /// After a signal to stop, the service accepts requests for this time, and reports that it is not ready.
  var stopDelay = Duration.zero
  /// The maximum number of bytes in the response body of an outgoing call.
  var maxResponse = 0
  var logLevel = Logger.Level.info
  /// The file to which log lines are appended, reopened at SIGHUP; `nil` for stderr.
  var logFile: String?
  /// The sources of operator keys.
  var operators = OperatorKeySources()
  var secretKey: String?
  /// The folder with the engine for clients; `nil` if no engine is served.
  var engine: String?
  /// Whether to start with an incomplete database. Only a flag sets this value, because the value is intended for a single start.
  var acceptsLoss = false

  /// Reads the settings from all layers. Throws for the first setting with an invalid value.
  init(_ layers: SettingLayers) throws(SettingFault) {
    for setting in Setting.all { try layers.apply(setting, to: &self) }
    try readDatabaseURL()
    if usesPostgres { try refuseFolder(layers) }
    // These settings apply to more than one part of the service.
    http.isExempt = { [proxies = service.limits.proxies] in proxies.contains($0) }
    service.limits.connectionsPerAddress = http.connectionsPerAddress
    service.sessionTTL = store.sessionTTL
    service.hasAdminPort = admin != nil
  }

  /// Whether the database is on PostgreSQL, where several nodes can share it.
  var usesPostgres: Bool { DatabaseURL.isPostgres(database) }

  private mutating func readDatabaseURL() throws(SettingFault) {
    guard let file = databaseURLFile else { return }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines),
      DatabaseURL.isPostgres(text)
    else {
      throw .database(
        "\(file) (databaseURLFile): the file cannot be read or does not contain the URL of a PostgreSQL database, such as "
          + "postgres://user@host:port/database")
    }
    database = text
  }

  /// Throws if a setting of the definitions folder is given. Nodes that share a database do not read a folder, because their folders could
  /// differ.
  private func refuseFolder(_ layers: SettingLayers) throws(SettingFault) {
    for name in ["apps", "watch"] {
      guard let setting = Setting.named(name), let (text, source) = layers.given(setting), text != "false" else { continue }
      throw .database("\(source): on PostgreSQL the service reads no folder of definitions; publish them with `cairn apps push FOLDER`")
    }
  }
}
