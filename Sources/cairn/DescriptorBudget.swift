import CairnHTTP
import CairnRuntime

/// The limit of descriptors, shared out: connections get what the rest of the service does not need, so that the admin port, outgoing calls
/// and the database always find one.
struct DescriptorBudget {
  /// Connections that may be open at once.
  let connections: Int
  /// A message for the operator; `nil` if all configured connections fit.
  let warning: String?

  /// Descriptors beside connections: 64 of the admin port, 64 outgoing calls with two each, the database, loops and logs.
  static let reserve = 256

  /// `limit`: descriptors that may be open. Of a small limit half is kept.
  init(connections wanted: Int, limit: Int) {
    let kept = min(Self.reserve, limit / 2)
    connections = max(1, min(wanted, limit - kept))
    warning =
      connections == wanted
      ? nil
      : "connections: \(wanted) need \(wanted + Self.reserve) descriptors, and the limit is \(limit): \(connections) are served at once; "
        + "raise the limit (LimitNOFILE=, ulimit -n) or lower `connections`"
  }

  /// The budget of a start, which raises the limit as far as it may. `raising`: false only says what it would be.
  init(_ configuration: Configuration, raising: Bool) {
    let needed = configuration.http.connections + Self.reserve
    let limit = DescriptorLimit.now
    self.init(
      connections: configuration.http.connections,
      limit: raising ? DescriptorLimit.raise(to: needed) : max(limit.current, min(limit.highest, needed)))
  }
}
