/// What can be set. The name is that of the file's key; flags and variables are spelled after it.
enum Setting: String, CaseIterable {
  case host, port, admin, database, apps, creation, threads, connections, connectionsPerAddress, requestsPerAddress, requestsPerSession
  case creationsPerAddress, failuresPerAddress, failuresPerSession, sessionsPerAddress, streamsPerSession, trustedProxies, headTimeout
  case bodyTimeout
  case answerTimeout, stopDelay, cacheSize, readers, sessionTtl, expiryShare, logLevel, logFile, operatorKeysFile, operatorKeys,
    operatorKey, secretKey
  case idempotencyRetention, notificationRetention, watch, appsWritable, console, corsOrigins
  case sessionEntries, sessionJournal
  case sessionNodes, sessionEffects, sessionSize, valueSize, advanceTicks, requestWork, shortestTimer, longestLoad
  case outgoingCalls, maxResponse

  /// `connectionsPerAddress` → `--connections-per-address`; nil: it is a secret, which others could see in a list of processes.
  var flag: String? {
    isSecret ? nil : "--" + words.joined(separator: "-")
  }

  /// `connectionsPerAddress` → `CAIRN_CONNECTIONS_PER_ADDRESS`.
  var variable: String { "CAIRN_" + words.joined(separator: "_").uppercased() }

  var isSecret: Bool { self == .operatorKey || self == .operatorKeys || self == .secretKey }

  /// What definitions may read of an environment: a variable that is set to nothing counts as not set, and the service's own secrets are
  /// nobody else's.
  static func forDefinitions(_ environment: [String: String]) -> @Sendable (String) -> String? {
    let own = Set(allCases.filter(\.isSecret).map(\.variable))
    return { name in own.contains(name) ? nil : environment[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// What holds when nobody says anything.
  var fallback: String? {
    switch self {
    case .host: "127.0.0.1"
    case .port: "8080"
    case .database: "var/cairn.sqlite"
    case .apps: "config/apps"
    case .console: "on"
    case .creation: "anyone"
    case .watch: "false"
    case .appsWritable: "true"
    case .threads: "1"
    case .connections: "4096"
    case .connectionsPerAddress: "256"
    case .headTimeout: "10s"
    case .bodyTimeout, .answerTimeout: "30s"
    case .stopDelay: "0s"
    case .cacheSize: "300"
    case .readers: "0"
    case .sessionTtl: "never"
    case .expiryShare: "10"
    case .idempotencyRetention, .notificationRetention: "24h"
    case .logLevel: "info"
    case .requestsPerAddress, .requestsPerSession, .creationsPerAddress, .failuresPerAddress, .failuresPerSession: "off"
    case .sessionsPerAddress: "0"
    case .streamsPerSession: "64"
    case .sessionNodes, .sessionEffects, .advanceTicks: "1000"
    case .sessionEntries: "1000000"
    case .sessionJournal: "256"
    case .sessionSize: "256"
    case .valueSize: "64"
    case .requestWork: "200000"
    case .shortestTimer: "100ms"
    case .longestLoad: "10m"
    case .outgoingCalls: "256"
    case .maxResponse: "1024"
    case .admin, .logFile, .trustedProxies, .corsOrigins, .operatorKeysFile, .operatorKeys, .operatorKey, .secretKey: nil
    }
  }

  private var words: [String] {
    var words: [String] = [""]
    for character in rawValue {
      if character.isUppercase { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}

/// What is wrong with a setting. Its text never holds a secret.
enum SettingFault: Error {
  /// `source`: which flag, variable or line of a file said so.
  case badValue(Setting, value: String, source: String, expected: String)
  case unknownKey(String, place: String, nearest: String?)
  case malformed(file: String, reason: String)
  case missingFile(String)
  /// What is wrong with operator keys; `reason` quotes none of them.
  case operatorKeys(source: String, reason: String)

  var text: String {
    switch self {
    case .badValue(let setting, let value, let source, let expected):
      setting.isSecret ? "\(source) must be \(expected)" : "\(source) must be \(expected), not \"\(value)\""
    case .unknownKey(let key, let place, let nearest):
      "\(place): \(key) is unknown; "
        + (nearest.map { "did you mean \($0)?" } ?? "known are \(Setting.allCases.map(\.rawValue).joined(separator: ", "))")
    case .malformed(let file, let reason): "\(file): \(reason)"
    case .missingFile(let file): "\(file): the configuration file is not there"
    case .operatorKeys(let source, let reason): "\(source): \(reason)"
    }
  }
}
