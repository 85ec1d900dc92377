import CairnHTTP
import CairnServer

// Settings of the network: addresses, and limits for clients.
extension Setting {
  static let network: [Setting] = [
    Setting("host", "Address to listen on.", default: "127.0.0.1", .text("an address", \.host)),
    Setting("port", "Port to listen on; 0 selects a free port.", default: "8080", .number(0...65_535, \.port)),
    Setting(
      "admin",
      "Address and port for /metrics and for a /readyz with the details of faults. The public port then has no /metrics, and its /readyz has no details.",
      "host:port",
      SettingValue("an address and a port, such as 127.0.0.1:9090", \.admin) { $0.isEmpty ? .some(nil) : address($0).map(Optional.some) }),
    Setting(
      "database", "Path of a SQLite database, which is created if it does not exist, or URL of a PostgreSQL database without a password.",
      "file",
      default: "var/cairn.sqlite", .text("a path", \.database)),
    Setting(
      "databaseURLFile",
      "File with the URL of a PostgreSQL database, which is used instead of `database`. The URL may contain a password.", "file",
      .optionalText(\.databaseURLFile)),
    Setting(
      "erasuresURLFile", "File with the URL of another PostgreSQL database, which stores the list of erasures.", "file",
      absence: "the schema <databaseSchema>_erasures of the database", .optionalText(\.erasuresURLFile)),
    Setting("databaseSchema", "Schema of the tables on PostgreSQL.", "name", default: "cairn", .text("a name", \.databaseSchema)),
    Setting(
      "databasePrepared", "Whether statements are prepared on PostgreSQL; must be false behind a pooler in transaction mode.", "whether",
      default: "true",
      .bool(\.databasePrepared)),
    Setting(
      "databaseSignals", "Whether nodes signal commits to each other with NOTIFY; must be false behind a pooler in transaction mode.",
      "whether",
      default: "true", .bool(\.databaseSignals)),
    Setting("apps", "Folder of the definitions.", "folder", default: "config/apps", .text("a folder", \.apps)),
    Setting(
      "creation", "Callers that can create sessions: anyone or operator.", "who", default: "anyone",
      SettingValue("anyone or operator", \.service.creation) { Settings.Creators(rawValue: $0) }),
    Setting("threads", "Number of threads that serve connections.", "count", default: "1", .number(1...64, \.threads)),
    Setting(
      "connections", "Maximum number of open connections; above it, new ones wait for a second and then get 503.", "count",
      default: "4096", .number(1...1_000_000, \.http.connections)),
    Setting(
      "connectionsPerAddress",
      """
      Maximum number of open connections per address or, behind a proxy in trustedProxies, of simultaneous requests per client; above it, \
      requests get 429. Set 0 (no limit) behind any other proxy.
      """,
      "count",
      default: "256", .unlessZero(\.http.connectionsPerAddress)),
    Setting(
      "requestsPerAddress",
      "Maximum rate of requests per address, such as 100/s or 600/m; above it, all except operators' requests get 429.", "rate",
      default: "off",
      .rate(\.service.limits.requestsPerAddress)),
    Setting(
      "requestsPerSession", "Maximum rate of requests with the secret of one session, such as 20/s; above it, requests get 429.", "rate",
      default: "off", .rate(\.service.limits.requestsPerSession)),
    Setting(
      "creationsPerAddress",
      "Maximum rate of sessions created per address, except by operators, such as 50/h; above it, creations get 429.",
      "rate",
      default: "off", .rate(\.service.limits.creationsPerAddress)),
    Setting(
      "failuresPerAddress",
      "Maximum rate of wrong credentials per address, such as 10/m; above it, wrong credentials and all operator keys from it are rejected.",
      "rate",
      default: "off", .rate(\.service.limits.failuresPerAddress)),
    Setting(
      "failuresPerSession",
      "Maximum rate of wrong credentials for one session, from all addresses together; above it, wrong ones get 429.", "rate",
      default: "off", .rate(\.service.limits.failuresPerSession)),
    Setting(
      "sessionsPerAddress",
      "Maximum number of existing sessions that one address has created since the start; above it, creations get 429, except by operators. 0 means no limit.",
      "count",
      default: "0", .unlessZero(\.service.limits.sessionsPerAddress)),
    Setting(
      "streamsPerSession",
      "Maximum number of simultaneous event streams per session, except operators' streams; above it, new streams get 429.", "count",
      default: "64",
      .number(1...100_000, \.service.streamsPerSession)),
    Setting(
      "trustedProxies", "Proxies whose headers Forwarded and X-Forwarded-For are trusted, separated by commas: 10.0.0.0/8,::1.", "networks",
      SettingValue("addresses and networks separated by commas, such as 10.0.0.0/8, ::1", \.service.limits.proxies, proxies)),
    Setting("headTimeout", "Maximum time for a client to send the head of a request.", "time", default: "10s", .timeout(\.http.head)),
    Setting("bodyTimeout", "Maximum time for a client to send the body of a request.", "time", default: "30s", .timeout(\.http.upload)),
    Setting("answerTimeout", "Maximum time for a client to read a response.", "time", default: "30s", .timeout(\.http.download)),
    Setting(
      "stopDelay",
      "Time between SIGTERM and the stop. During this time /readyz returns 503, so that a load balancer stops sending requests.", "time",
      default: "0s",
      .duration(0...3_600_000, "a time such as 5s, from 0s to 1h", \.stopDelay)),
  ]

  /// Parses a host, a colon and a port; `nil` if the text has another form. The host is not checked.
  private static func address(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = SettingValue.wholeNumber(String(text[text.index(after: colon)...]), 0...65_535)
    else { return nil }
    return (String(text[..<colon]), port)
  }

  @Sendable private static func proxies(_ text: String) -> TrustedProxies? {
    var ranges: [AddressRange] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard let range = AddressRange(part) else { return nil }
      ranges.append(range)
    }
    return TrustedProxies(ranges)
  }
}
