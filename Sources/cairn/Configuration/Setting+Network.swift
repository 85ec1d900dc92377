import CairnHTTP
import CairnServer

// Settings of the network: addresses, and limits for clients.
extension Setting {
  static let network: [Setting] = [
    Setting("host", "Address to listen on.", default: "127.0.0.1", .text("an address", \.host)),
    Setting("port", "Port to listen on; 0: a free one.", default: "8080", .number(0...65_535, \.port)),
    Setting(
      "admin", "Address and port for /metrics and for /readyz with the texts of faults; the public port then serves neither.", "host:port",
      SettingValue("an address and a port, as 127.0.0.1:9090", \.admin) { $0.isEmpty ? .some(nil) : address($0).map(Optional.some) }),
    Setting(
      "database", "SQLite database, made when it is not there, or the URL of a PostgreSQL database without a password.", "file",
      default: "var/cairn.sqlite", .text("a path", \.database)),
    Setting(
      "databaseURLFile", "File with the URL of a PostgreSQL database, which may contain a password.", "file",
      .optionalText(\.databaseURLFile)),
    Setting(
      "erasuresURLFile", "File with the URL of another PostgreSQL database, which lists erasures.", "file",
      absence: "the schema <databaseSchema>_erasures of the database", .optionalText(\.erasuresURLFile)),
    Setting("databaseSchema", "Schema of the tables on PostgreSQL.", "name", default: "cairn", .text("a name", \.databaseSchema)),
    Setting(
      "databasePrepared", "Whether statements are prepared on PostgreSQL; not through a pooler in transaction mode.", "whether",
      default: "true",
      .bool(\.databasePrepared)),
    Setting(
      "databaseSignals", "Whether nodes tell each other of commits with NOTIFY; not through a pooler in transaction mode.", "whether",
      default: "true", .bool(\.databaseSignals)),
    Setting("apps", "Folder of the definitions.", "folder", default: "config/apps", .text("a folder", \.apps)),
    Setting(
      "creation", "Callers that can start sessions: anyone, operator.", "who", default: "anyone",
      SettingValue("one of anyone, operator", \.service.creation) { Settings.Creators(rawValue: $0) }),
    Setting("threads", "Threads that serve connections.", "count", default: "1", .number(1...64, \.threads)),
    Setting(
      "connections", "Open connections at most; while there are so many, new ones wait a second and are then answered 503.", "count",
      default: "4096", .number(1...1_000_000, \.http.connections)),
    Setting(
      "connectionsPerAddress", "Open connections from one address at most; 0: no limit, for a place behind a proxy.", "count",
      default: "256", .unlessZero(\.http.connectionsPerAddress)),
    Setting(
      "requestsPerAddress", "Requests from one address, such as 100/s, 600/m; more get 429.", "rate", default: "off",
      .rate(\.service.limits.requestsPerAddress)),
    Setting("requestsPerSession", "Requests of one session.", "rate", default: "off", .rate(\.service.limits.requestsPerSession)),
    Setting(
      "creationsPerAddress", "Sessions started from one address.", "rate", default: "off", .rate(\.service.limits.creationsPerAddress)),
    Setting(
      "failuresPerAddress", "Wrong credentials from one address.", "rate", default: "off", .rate(\.service.limits.failuresPerAddress)),
    Setting(
      "failuresPerSession", "Wrong credentials for one session.", "rate", default: "off", .rate(\.service.limits.failuresPerSession)),
    Setting(
      "sessionsPerAddress", "Living sessions that one address has started, since the start of the service; 0: no limit.", "count",
      default: "0", .unlessZero(\.service.limits.sessionsPerAddress)),
    Setting(
      "streamsPerSession", "Streams of one session's events at once, beside the operators'; one more gets 429.", "count", default: "64",
      .number(1...100_000, \.service.streamsPerSession)),
    Setting(
      "trustedProxies", "Proxies whose Forwarded and X-Forwarded-For are believed: 10.0.0.0/8,::1.", "networks",
      SettingValue("addresses and networks with commas between them, as 10.0.0.0/8, ::1", \.service.limits.proxies, proxies)),
    Setting("headTimeout", "How long the head of a request may take in all.", "time", default: "10s", .timeout(\.http.head)),
    Setting("bodyTimeout", "How long the body of a request may take in all.", "time", default: "30s", .timeout(\.http.upload)),
    Setting("answerTimeout", "How long a client may read an answer in all.", "time", default: "30s", .timeout(\.http.download)),
    Setting(
      "stopDelay", "How long to go on, no longer ready, when told to stop: until the balancer in front knows.", "time", default: "0s",
      .duration(0...3_600_000, "a time such as 5s, from 0s to 1h", \.stopDelay)),
  ]

  /// Parses an address literal or `localhost`, followed by a colon and a port.
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
