import CairnHTTP
import CairnRuntime

/// Divides the file descriptors of the process. Some are reserved, so that the admin port, outgoing calls and the database always have
/// descriptors; the others are for connections.
struct DescriptorBudget {
  /// The maximum number of open connections.
  let connections: Int
  /// A message for the operator; `nil` if all configured connections fit.
  let warning: String?

  /// The number of reserved descriptors: 64 for the admin port, two for each of 64 outgoing calls, and others for the database, loops and
  /// logs.
  static let reserve = 256

  /// Computes the number of connections. `limit` is the maximum number of open descriptors of the process. If `limit` is below 512, half of
  /// the descriptors are reserved.
  init(connections wanted: Int, limit: Int) {
    let kept = min(Self.reserve, limit / 2)
    connections = max(1, min(wanted, limit - kept))
    warning =
      connections == wanted
      ? nil
      : "\(wanted) connections need \(wanted + Self.reserve) file descriptors, but the limit is \(limit), so at most \(connections) can be open at once; "
        + "raise the limit (LimitNOFILE=, ulimit -n) or lower `connections`"
  }

  /// Computes the budget for a start of the service. If `raising` is `true`, raises the limit of the process as far as necessary and
  /// possible; otherwise computes the same result without raising the limit.
  init(_ configuration: Configuration, raising: Bool) {
    let needed = configuration.http.connections + Self.reserve
    let limit = DescriptorLimit.now
    self.init(
      connections: configuration.http.connections,
      limit: raising ? DescriptorLimit.raise(to: needed) : max(limit.current, min(limit.highest, needed)))
  }
}
