import CairnHTTP
import CairnServer
import CairnStore
import Logging

/// The configuration of `cairn serve`: flags over the environment over the file over the defaults. The settings' rows say where each is
/// stored.
struct Configuration {
  var host = ""
  var port = 0
  var database = ""
  var apps = ""
  /// Whether the folder of the definitions is watched.
  var isWatching = false
  var threads = 1
  /// The address of metrics and of the causes of failures; `nil`: they are served on the public port.
  var admin: (host: String, port: Int)?
  /// Limits of connections.
  var http = Limits()
  /// The endpoints' own settings, without operators, version and environment, which a start adds.
  var service = Settings()
  /// Limits of sessions, and how long what is kept.
  var store = StoreLimits()
  /// How long the service goes on after a signal to stop, no longer ready.
  var stopDelay = Duration.zero
  /// Bytes in the body of a response to an outgoing call.
  var maxResponse = 0
  var logLevel = Logger.Level.info
  /// Where log lines are appended, reopened at SIGHUP; `nil`: to stderr.
  var logFile: String?
  /// Where operator keys are from.
  var operators = OperatorKeySources()
  var secretKey: String?
  /// Continues with an incomplete database. Meant for a single start, so there is only a flag.
  var acceptsLoss = false

  /// Reads all layers. Throws for the first setting with a value that is not allowed.
  init(_ layers: SettingLayers) throws(SettingFault) {
    for setting in Setting.all { try layers.apply(setting, to: &self) }
    // A few rules of one room apply in another too.
    http.isExempt = { [proxies = service.limits.proxies] in proxies.contains($0) }
    service.limits.connectionsPerAddress = http.connectionsPerAddress
    service.sessionTTL = store.sessionTTL
    service.hasAdminPort = admin != nil
  }
}
