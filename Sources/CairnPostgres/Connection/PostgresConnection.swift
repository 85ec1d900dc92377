import CPostgres
import CairnRuntime
import Glibc

/// A connection to the database. No call waits longer than its deadline. If a call fails because of the connection, the connection is
/// closed, and the next call opens it again.
///
/// The conformance to `Sendable` is unchecked: only one thread at a time may use a connection. `ConnectionPool`, or the thread that owns
/// the connection, ensures this.
final class PostgresConnection: @unchecked Sendable {
  private let target: PostgresTarget
  /// The purpose, which `pg_stat_activity` shows as the connection's name.
  private let purpose: String
  private var connection: OpaquePointer?
  /// The names of the prepared statements by their texts.
  private var prepared: [String: String] = [:]
  private let notices = Notices()

  /// The notices of the server during a call.
  private final class Notices {
    /// Whether the server stopped waiting for a standby. If so, the commit may be lost together with the server.
    var isUnconfirmed = false
  }

  /// Called at most once per statement, when the statement has been running for `slowness`, with the id of this connection's process at the server. Must be
  /// set before the first call.
  var whenSlow: ((_ process: Int) -> Void)?
  /// The time in nanoseconds after which a statement is slow: half of the time for which it may wait for a lock.
  private static let slowness: UInt64 = 1_000_000_000

  /// The index of the server that the next connection attempt tries first. A failure advances it to the next server.
  private var server = 0

  /// Connects at the first call.
  init(_ target: PostgresTarget, for purpose: String) {
    self.target = target
    self.purpose = purpose
  }

  deinit { close() }

  /// Whether the connection is open. `true` does not mean that the server can still be reached.
  var isOpen: Bool { connection != nil }

  /// Whether no transaction is open; also `true` without a connection.
  var isIdle: Bool { connection == nil || PQtransactionStatus(connection) == PQTRANS_IDLE }

  /// The socket, which is readable when the server has sent data; `nil` without a connection.
  var descriptor: Int32? { connection.map { PQsocket($0) } }

  func close() {
    if connection != nil { target.connections.count(-1) }
    PQfinish(connection)
    connection = nil
    prepared = [:]
  }

  /// Reads the available data. Returns whether it contains a notification (NOTIFY) that another connection has sent.
  func takeSignals() throws(PostgresError) -> Bool {
    guard PQconsumeInput(connection) == 1 else { throw lost("the connection to PostgreSQL was lost") }
    let own = PQbackendPID(connection)
    var isSignaled = false
    while let notification = PQnotifies(connection) {
      isSignaled = isSignaled || notification.pointee.be_pid != own
      PQfreemem(notification)
    }
    return isSignaled
  }

  /// Runs a statement. Returns when the server is ready for the next statement. By that time, the statement is committed, unless a BEGIN
  /// has opened a transaction. `@` in the text is replaced by the schema.
  func run(_ text: String, _ parameters: Parameters = Parameters(), until deadline: UInt64) throws(PostgresError) -> PostgresResult {
    try open(until: deadline)
    let name = target.isPrepared ? try prepare(text, until: deadline) : nil
    notices.isUnconfirmed = false
    let sent = parameters.bytes.withUnsafeBytes { bytes in
      let values = parameters.ranges.map { range -> UnsafePointer<CChar>? in
        guard let range else { return nil }
        // An empty value needs an address too, because libpq reads a missing address as NULL.
        guard let base = bytes.baseAddress else { return Self.emptyValue }
        return (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
      }
      let lengths = parameters.ranges.map { Int32($0?.count ?? 0) }
      let formats = parameters.ranges.map { _ in Int32(1) }
      guard let name else {
        return PQsendQueryParams(connection, target.text(text), Int32(values.count), nil, values, lengths, formats, 1)
      }
      return PQsendQueryPrepared(connection, name, Int32(values.count), values, lengths, formats, 1)
    }
    let result = try finish(sent, until: deadline)
    if notices.isUnconfirmed {
      throw PostgresError(.unconfirmed, "the server stopped waiting for its standby, so the commit may not be replicated")
    }
    return result
  }

  /// Runs statements without parameters, such as a migration.
  func script(_ text: String, until deadline: UInt64) throws(PostgresError) {
    try open(until: deadline)
    _ = try finish(PQsendQuery(connection, target.text(text)), until: deadline)
  }

  /// The address of an empty value. Written once.
  nonisolated(unsafe) private static let emptyValue: UnsafePointer<CChar>? = {
    let value = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    value.initialize(to: 0)
    return UnsafePointer(value)
  }()

  // MARK: connecting

  /// Connects, unless the connection is open.
  func open(until deadline: UInt64) throws(PostgresError) {
    if connection != nil, PQstatus(connection) == CONNECTION_OK { return }
    close()
    let count = target.servers
    for left in stride(from: count, through: 1, by: -1) {
      // Each server gets a share of the time, because a server whose machine is off does not respond at all.
      let now = Monotonic.now()
      let share = deadline > now ? now + (deadline - now) / UInt64(left) : deadline
      do throws(PostgresError) {
        return try open(server, until: share)
      } catch {
        server = (server + 1) % count
        if left == 1 { throw error }
      }
    }
  }

  private func open(_ server: Int, until deadline: UInt64) throws(PostgresError) {
    connection = target.start(as: purpose, server: server)
    guard connection != nil else { throw PostgresError(text: "not enough memory for a connection") }
    target.connections.count(1)
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard PQstatus(connection) != CONNECTION_BAD, state != PGRES_POLLING_FAILED else { throw lost(target.fault(of: connection)) }
      try wait(for: state == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
      state = PQconnectPoll(connection)
    }
    guard PQsetnonblocking(connection, 1) == 0 else { throw lost("the connection cannot be made non-blocking") }
    _ = PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        // The server warns about synchronous replication: the commit exists on this server, but perhaps not on the standby.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
        guard state == "01000", text.contains("synchronous replication") else { return }
        Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().isUnconfirmed = true
      }, Unmanaged.passUnretained(notices).toOpaque())
  }

  private func prepare(_ text: String, until deadline: UInt64) throws(PostgresError) -> String {
    if let name = prepared[text] { return name }
    let name = "s\(prepared.count)"
    _ = try finish(PQsendPrepare(connection, name, target.text(text), 0, nil), until: deadline)
    prepared[text] = name
    return name
  }

  // MARK: waiting

  /// Waits until the server sends data for a statement that began at `start`. If the statement becomes slow first, reports it once and returns without data.
  private func waitForResult(since start: UInt64, until deadline: UInt64, _ isReported: inout Bool) throws(PostgresError) {
    let moment = start + Self.slowness
    guard let whenSlow, !isReported, moment < deadline else { return try wait(for: POLLIN, until: deadline) }
    if try isReady(for: POLLIN, until: moment) { return }
    isReported = true
    whenSlow(Int(PQbackendPID(connection)))
  }

  /// Sends the buffered data and reads the results up to the server's `ReadyForQuery`. `sent` is the result of the libpq function that queued the statement.
  /// Returns the last result, or throws the first error that the server reported.
  private func finish(_ sent: Int32, until deadline: UInt64) throws(PostgresError) -> PostgresResult {
    guard sent == 1 else { throw lost("the connection to PostgreSQL was lost") }
    while true {
      let left = PQflush(connection)
      if left == 0 { break }
      guard left == 1 else { throw lost("the connection to PostgreSQL was lost") }
      // The wait also ends when the server has sent bytes, because the server may stop reading until its output has been read.
      try wait(for: POLLIN | POLLOUT, until: deadline)
      guard PQconsumeInput(connection) == 1 else { throw lost("the connection to PostgreSQL was lost") }
    }
    var last: OpaquePointer?
    var failure: PostgresError?
    let start = Monotonic.now()
    var isReported = false
    while true {
      while PQisBusy(connection) == 1 {
        do {
          try waitForResult(since: start, until: deadline, &isReported)
        } catch {
          PQclear(last)
          throw error
        }
        guard PQconsumeInput(connection) == 1 else {
          PQclear(last)
          throw lost("the connection to PostgreSQL was lost")
        }
      }
      guard let next = PQgetResult(connection) else { break }
      PQclear(last)
      last = next
      switch PQresultStatus(next) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
      default: failure = failure ?? Self.failure(next)
      }
    }
    if let failure {
      PQclear(last)
      // The next call uses a new connection, which is only opened to a server that accepts writes.
      if failure.isOfConnection || failure.isReadOnly || PQstatus(connection) != CONNECTION_OK { close() }
      throw failure
    }
    return PostgresResult(last)
  }

  private static func failure(_ result: OpaquePointer) -> PostgresError {
    func field(_ code: UInt8) -> String? { PQresultErrorField(result, Int32(code)).map { String(cString: $0) } }
    // The server's details are omitted, because they can contain values.
    return PostgresError(state: field(UInt8(ascii: "C")), text: field(UInt8(ascii: "M")) ?? "the connection to PostgreSQL was lost")
  }

  /// Waits until the socket is ready. A connection that is not ready in time is closed, because its state is unknown.
  private func wait(for events: Int32, until deadline: UInt64) throws(PostgresError) {
    guard try isReady(for: events, until: deadline) else { throw lost("PostgreSQL did not respond in time") }
  }

  /// Waits until the socket is ready. Returns `false` at the deadline.
  private func isReady(for events: Int32, until deadline: UInt64) throws(PostgresError) -> Bool {
    while true {
      let now = Monotonic.now()
      guard now < deadline else { return false }
      let milliseconds = min((deadline - now) / 1_000_000 + 1, 60_000)
      var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
      let ready = poll(&descriptor, 1, Int32(milliseconds))
      if ready > 0 { return true }
      guard ready == 0 || errno == EINTR else { throw lost("poll failed with errno \(errno)") }
    }
  }

  /// Closes the connection. Returns the error to throw.
  private func lost(_ text: String) -> PostgresError {
    close()
    return PostgresError(text: text)
  }
}
