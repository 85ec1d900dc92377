/// The error of a database call. The text contains neither values nor the password.
struct PostgresError: Error, Hashable {
  /// The SQLSTATE of the server, or the raw value of a `Local`; `nil` if the connection failed before or during the call.
  var state: String?
  var text: String
  /// The processes that held a lock for too long; `nil` if they are unknown.
  var holders: String?
  /// Whether the call failed without waiting, because an earlier call had already timed out.
  var isRepeated = false

  /// An error that is detected in this process.
  enum Local: String {
    case closed, unsuitable, outdated, unconfirmed, newer
    case wrongKey = "wrong key"
  }

  init(state: String? = nil, text: String) {
    self.state = state
    self.text = text
  }

  init(_ local: Local, _ text: String) { self.init(state: local.rawValue, text: text) }

  var local: Local? { state.flatMap(Local.init) }

  /// Whether the connection failed, or the server is stopping or starting. If so, the server may have executed the statement, or may still
  /// execute it.
  var isOfConnection: Bool {
    guard let state else { return true }
    if local != nil { return false }
    // 57P01 to 57P03: the server is being stopped or started.
    return state.hasPrefix("08") || state.hasPrefix("57P")
  }

  /// Whether a repetition can succeed, because the cause was a deadlock, a lock that was held too long, a cancelled statement, or a
  /// conflict of transactions.
  var isTemporary: Bool { ["40001", "40P01", "55P03", "57014"].contains(state) }

  /// Whether the statement waited too long for a lock of another transaction (`lock_timeout`). A statement that is repeated at once probably waits as long
  /// again.
  var isOfLock: Bool { state == "55P03" }

  /// Whether the values of one session caused the error, not the database.
  var isOfValues: Bool { ["21", "22", "23", "54"].contains { state?.hasPrefix($0) ?? false } }

  /// Whether a constraint of a table was violated, such as a unique key.
  var isConstraint: Bool { state?.hasPrefix("23") ?? false }

  /// Whether the server's disk is full.
  var isFull: Bool { state == "53100" }

  /// Whether the role lacks a permission.
  var isOfPermission: Bool { state == "42501" }

  /// Whether the connection leads to a server that does not accept writes, such as a standby.
  var isReadOnly: Bool { state == "25006" }
}

extension PostgresError: CustomStringConvertible {
  var description: String { state.map { "\(text) (SQLSTATE \($0))" } ?? text }
}
