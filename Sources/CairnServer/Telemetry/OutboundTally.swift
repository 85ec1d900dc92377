import CairnRuntime
package import CairnStore

/// Counts outgoing calls by host and result, and forwards them. Thread-safe.
package final class OutboundTally: Outbound {
  private struct Key: Hashable {
    let host, result: String
  }

  /// The largest number of hosts that are counted separately. Calls to other hosts are counted as `other`, so that the number of series is
  /// bounded.
  private static let hosts = 100

  private let outbound: any Outbound
  private let counts = Lock<[Key: Int]>([:])

  /// Creates the tally. `outbound` sends the calls.
  package init(_ outbound: any Outbound) { self.outbound = outbound }

  package func send(_ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void) -> @Sendable () -> Void {
    let host = call.host
    return outbound.send(call) { result in
      self.count(host, Self.word(of: result))
      reply(result)
    }
  }

  /// The number of calls that have ended, by host and result.
  package var metric: Metric {
    let samples = counts.withLock { $0 }.sorted { ($0.key.host, $0.key.result) < ($1.key.host, $1.key.result) }.map { key, count in
      Metric.Sample(["host": key.host, "result": key.result], Double(count))
    }
    return Metric(
      "cairn_outbound_calls_total", .counter,
      "Outgoing calls that have ended, by host (`other` after the first 100 hosts) and result, such as ok, timeout, cancelled or http-503.",
      samples)
  }

  /// Returns the label of a result: `ok`, a label such as `http-503` for a status, a word for one of the service's own failures, or
  /// `provider-error` for any other failure.
  private static func word(of result: OutboundResult) -> String {
    let reason: String
    switch result {
    case .json, .tokens: return "ok"
    case .failed(let text), .interrupted(let text, _): reason = text
    }
    let word = reason.prefix { $0 != ":" }
    if word == "http-status" { return "http-" + reason.dropFirst("http-status: ".count).prefix(3) }
    // A provider chooses the codes of its errors. If they were labels, the number of labels would be unbounded.
    return words.contains(String(word)) ? String(word) : "provider-error"
  }

  /// The first words of the service's own failure texts.
  private static let words: Set = [
    "timeout", "unreachable", "cancelled", "malformed", "insecure", "no-token", "not-configured", "oauth-not-configured",
  ]

  private func count(_ host: String, _ result: String) {
    counts.withLock { counts in
      let isKnown = counts.keys.contains { $0.host == host }
      let place = isKnown || Set(counts.keys.map(\.host)).count < Self.hosts ? host : "other"
      counts[Key(host: place, result: result), default: 0] += 1
    }
  }
}
