import CairnCore
import CairnServer
import Foundation
import Logging

/// What `cairn serve` runs with: flags over the environment over the file over the defaults.
struct Configuration {
  var host: String
  var port: Int
  var database: String
  var apps: String
  /// Whether the folder of the definitions is watched.
  var isWatching: Bool
  /// Whether an operator may put definitions.
  var isWritable: Bool
  var creation: Settings.Creators
  /// Whether the page for people is served.
  var hasConsole: Bool
  var threads: Int
  var connections: Int
  var connectionsPerAddress: Int
  /// Where figures and faults are told; nil: on the port for everybody.
  var admin: (host: String, port: Int)?
  var limits: RateLimits
  /// Whose pages may call.
  var origins: AllowedOrigins
  /// How long a request's head, its body, and the reading of its answer may take in all.
  var headTimeout: Duration
  var bodyTimeout: Duration
  var answerTimeout: Duration
  /// How long it goes on as before once it is told to stop, not ready any more.
  var stopDelay: Duration
  /// Streams of one session at once, beside the operators'.
  var streamsPerSession: Int
  /// MiB of sessions that are kept ready in memory.
  var cacheSize: Int
  /// What one session may have, and one request may take.
  var bounds: Bounds
  /// Entries, and MiB, that the journal of one session may have.
  var sessionEntries: Int
  var sessionJournal: Int
  /// Milliseconds; a definition with a shorter timer is refused.
  var shortestTimer: Int
  /// Milliseconds; a definition with a load that may take longer is refused.
  var longestLoad: Int
  /// Calls of loads and logins that leave at the same time.
  var outgoingCalls: Int
  /// Bytes in the body of a response to one of them.
  var maxResponse: Int
  /// Threads that read what is not in memory.
  var readers: Int
  /// Milliseconds after its last change when a session ends whose definition does not say it; nil: never.
  var sessionTTL: Int?
  /// Percent of all sessions that may end by their age in an hour.
  var expiryShare: Int
  /// Milliseconds for which the answer to a request with an Idempotency-Key is kept.
  var idempotencyRetention: Int
  /// Milliseconds for which a notification is known again by its id; 0: never.
  var notificationRetention: Int
  var logLevel: Logger.Level
  /// Where log lines are appended, reopened at SIGHUP; nil: to stderr.
  var logFile: String?
  /// Where operator keys are from.
  var operators: OperatorKeySources
  var secretKey: String?
  /// Goes on with what is there of a database of which something was lost: said once, at one start, so it is a flag alone.
  var acceptsLoss = false

  /// Reads all layers; a variable that is set to nothing counts as not set.
  init(_ layers: SettingLayers) throws(SettingFault) {
    host = try layers.read(.host, "an address") { $0.isEmpty ? nil : $0 }
    port = try layers.read(.port, "a whole number from 0 to 65535") { Self.number($0, 0...65_535) }
    database = try layers.read(.database, "a path") { $0.isEmpty ? nil : $0 }
    apps = try layers.read(.apps, "a folder") { $0.isEmpty ? nil : $0 }
    isWatching = try layers.read(.watch, "true or false", Bool.init)
    isWritable = try layers.read(.appsWritable, "true or false", Bool.init)
    creation = try layers.read(.creation, "one of anyone, operator", Settings.Creators.init(rawValue:))
    hasConsole = try layers.read(.console, "on or off") { ["on": true, "off": false][$0] }
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
    streamsPerSession = try layers.read(.streamsPerSession, "a whole number from 1 to 100000") { Self.number($0, 1...100_000) }
    cacheSize = try layers.read(.cacheSize, "a whole number of MiB from 1 to 1048576") { Self.number($0, 1...1_048_576) }
    bounds = try Self.bounds(layers)
    sessionEntries = try layers.read(.sessionEntries, "a whole number from 10 to 1000000000") { Self.number($0, 10...1_000_000_000) }
    sessionJournal = try layers.read(.sessionJournal, "a whole number of MiB from 1 to 1048576") { Self.number($0, 1...1_048_576) }
    shortestTimer = try layers.read(.shortestTimer, "a duration from 1ms on, like 100ms") {
      DurationText.milliseconds($0).flatMap { $0 >= 1 ? $0 : nil }
    }
    longestLoad = try layers.read(.longestLoad, "a duration from 1s to 1h, like 10m") { Self.milliseconds($0, 1_000...3_600_000) }
    outgoingCalls = try layers.read(.outgoingCalls, "a whole number from 1 to 10000") { Self.number($0, 1...10_000) }
    maxResponse = try layers.read(.maxResponse, "a whole number of KiB from 1 to 65536") { Self.number($0, 1...65_536).map { $0 << 10 } }
    let readers = try layers.read(.readers, "0 (by cores), or a whole number from 2 to 64") { text in
      Self.number(text, 0...64).flatMap { $0 == 1 ? nil : $0 }
    }
    self.readers = readers == 0 ? min(64, max(2, ProcessInfo.processInfo.activeProcessorCount)) : readers
    sessionTTL = try layers.read(.sessionTtl, "never, or at least 1m, like 30d") { text -> Int?? in
      if text == "never" { return .some(nil) }
      return DurationText.milliseconds(text).flatMap { $0 >= 60_000 ? .some($0) : nil }
    }
    expiryShare = try layers.read(.expiryShare, "a whole number of percent from 1 to 100") { Self.number($0, 1...100) }
    idempotencyRetention = try layers.read(.idempotencyRetention, "a duration from 1s to 30d, such as 24h") {
      Self.milliseconds($0, 1_000...2_592_000_000)
    }
    notificationRetention = try layers.read(.notificationRetention, "a duration from 0s (none is known again) to 30d, such as 24h") {
      Self.milliseconds($0, 0...2_592_000_000)
    }
    logLevel = try layers.read(
      .logLevel, "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))", Logger.Level.init(rawValue:))
    logFile = layers.given(.logFile)?.text
    admin = try layers.read(.admin, "an address and a port, as 127.0.0.1:9090") { text -> (host: String, port: Int)?? in
      text.isEmpty ? .some(nil) : Self.address(text).map(Optional.some)
    }
    limits = try Self.limits(layers)
    origins = try layers.read(
      .corsOrigins, "origins with commas between them, each as a browser sends it: https://app.example or http://127.0.0.1:3000",
      AllowedOrigins.init)
    limits.connectionsPerAddress = connectionsPerAddress
    operators = OperatorKeySources(
      single: layers.given(.operatorKey), list: layers.given(.operatorKeys), file: layers.given(.operatorKeysFile)?.text)
    secretKey = layers.given(.secretKey)?.text
  }

  private static func limits(_ layers: SettingLayers) throws(SettingFault) -> RateLimits {
    var limits = RateLimits()
    func rate(_ setting: Setting) throws(SettingFault) -> Rate? {
      try layers.read(setting, "off, or a rate such as 100/s, 600/m or 50/h") { text -> Rate?? in
        text == "off" || text == "0" ? .some(nil) : Rate(text).map(Optional.some)
      }
    }
    limits.requestsPerAddress = try rate(.requestsPerAddress)
    limits.requestsPerSession = try rate(.requestsPerSession)
    limits.creationsPerAddress = try rate(.creationsPerAddress)
    limits.failuresPerAddress = try rate(.failuresPerAddress)
    limits.failuresPerSession = try rate(.failuresPerSession)
    limits.sessionsPerAddress = try layers.read(.sessionsPerAddress, "a whole number from 0 (no limit) on") {
      Self.number($0, 0...1_000_000)
    }
    let ranges = try layers.read(.trustedProxies, "addresses and networks with commas between them, as 10.0.0.0/8, ::1", Self.ranges)
    limits.proxies = TrustedProxies(ranges)
    return limits
  }

  private static func ranges(_ text: String) -> [AddressRange]? {
    var ranges: [AddressRange] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard let range = AddressRange(part) else { return nil }
      ranges.append(range)
    }
    return ranges
  }

  /// An address literal or `localhost`, and a port.
  private static func address(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = number(String(text[text.index(after: colon)...]), 0...65_535)
    else { return nil }
    return (String(text[..<colon]), port)
  }

  private static func bounds(_ layers: SettingLayers) throws(SettingFault) -> Bounds {
    func read(_ setting: Setting, _ unit: String = "", upTo most: Int) throws(SettingFault) -> Int {
      try layers.read(setting, "a whole number\(unit) from 1 to \(most)") { number($0, 1...most) }
    }
    let most = Bounds.ceiling
    return Bounds(
      nodes: try read(.sessionNodes, upTo: most.nodes), effects: try read(.sessionEffects, upTo: most.effects),
      state: try read(.sessionSize, " of KiB", upTo: most.state >> 10) << 10,
      value: try read(.valueSize, " of KiB", upTo: most.value >> 10) << 10,
      ticks: try read(.advanceTicks, upTo: most.ticks), work: try read(.requestWork, upTo: most.work))
  }

  private static func duration(_ text: String, _ milliseconds: ClosedRange<Int>) -> Duration? {
    DurationText.milliseconds(text).flatMap { milliseconds.contains($0) ? .milliseconds($0) : nil }
  }

  private static func milliseconds(_ text: String, _ bounds: ClosedRange<Int>) -> Int? {
    DurationText.milliseconds(text).flatMap { bounds.contains($0) ? $0 : nil }
  }

  private static func number(_ text: String, _ bounds: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { bounds.contains($0) ? $0 : nil }
  }
}
