import GRDB
import GRDBSQLite

/// A prepared statement that is bound and stepped through the C interface. For small rows, GRDB's conversion of arguments and rows takes as long as SQLite's
/// own work. Used only on the connection's thread. Two values with the same SQL text share one statement, so they must not be used at the same time.
struct Prepared {
  /// Keeps the statement handle valid.
  private let statement: Statement
  private let handle: OpaquePointer

  /// Prepares the statement, or takes it from the connection's cache.
  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  func bind(_ place: Int32, _ value: Int) { sqlite3_bind_int64(handle, place, Int64(value)) }

  func bind(_ place: Int32, _ value: Int?) {
    if let value { bind(place, value) } else { sqlite3_bind_null(handle, place) }
  }

  func bind(_ place: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bind($0, place, sqlite3_bind_text) }
  }

  func bind(_ place: Int32, _ text: String?) {
    if let text { bind(place, text) } else { sqlite3_bind_null(handle, place) }
  }

  /// Binds a text, given as UTF-8 bytes.
  func bind(_ place: Int32, text bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bind($0, place, sqlite3_bind_text) }
  }

  /// Binds a blob. A value that exceeds the connection's length limit is silently not bound, so the caller must check the length.
  func bind(_ place: Int32, blob bytes: [UInt8]?) {
    guard let bytes else {
      sqlite3_bind_null(handle, place)
      return
    }
    bytes.withUnsafeBufferPointer { buffer in
      // A blob with a null pointer would be bound as NULL, so empty blobs are bound separately.
      guard buffer.baseAddress != nil, !buffer.isEmpty else { sqlite3_bind_zeroblob(handle, place, 0); return }
      _ = sqlite3_bind_blob(handle, place, buffer.baseAddress, Int32(clamping: buffer.count), Self.transient)
    }
  }

  /// Binds UTF-8 bytes without copying them. The bytes must stay valid until the statement has run and been reset or bound again.
  func bindInPlace(_ place: Int32, text bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return bind(place, "") }
    start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      _ = sqlite3_bind_text(handle, place, $0, Int32(clamping: bytes.count), nil)
    }
  }

  /// Binds a blob without copying it. The bytes must stay valid until the statement has run and been reset or bound again.
  func bindInPlace(_ place: Int32, blob bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_bind_zeroblob(handle, place, 0)
      return
    }
    _ = sqlite3_bind_blob(handle, place, start, Int32(clamping: bytes.count), nil)
  }

  /// Runs the statement without returning rows, and resets it.
  func run() throws {
    _ = try row { _ in }
  }

  /// Runs the statement and reads the first row; `nil` if the statement returns no row.
  func row<Result>(_ read: (Prepared) throws -> Result) throws -> Result? {
    defer { sqlite3_reset(handle) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return try read(self)
    case SQLITE_DONE: return nil
    default: throw failure()
    }
  }

  /// Runs the statement and reads every row.
  func rows(_ read: (Prepared) throws -> Void) throws {
    try visit { row in
      try read(row)
      return true
    }
  }

  /// Runs the statement and reads rows until `read` returns `false`.
  func visit(_ read: (Prepared) throws -> Bool) throws {
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: if try !read(self) { return }
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }

  /// The integer in a column, counted from 0.
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  /// The integer in a column; `nil` for NULL.
  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// The text in a column; `nil` for NULL.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes of a text or blob; empty for NULL.
  func bytes(_ column: Int32) -> [UInt8] {
    // SQLite requires that the blob is requested before its length. The pointer is valid until the next step.
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  private func failure() -> DatabaseError {
    let connection = sqlite3_db_handle(handle)
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)), message: String(cString: sqlite3_errmsg(connection)))
  }

  private func bind<Byte>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int32,
    _ call: (OpaquePointer?, Int32, UnsafePointer<Byte>?, Int32, sqlite3_destructor_type?) -> Int32
  ) {
    guard let start = bytes.baseAddress else {
      _ = call(handle, place, nil, 0, nil)
      return
    }
    start.withMemoryRebound(to: Byte.self, capacity: bytes.count) {
      _ = call(handle, place, $0, Int32(clamping: bytes.count), Self.transient)
    }
  }

  /// SQLITE_TRANSIENT, which makes SQLite copy the value. Swift does not import this cast.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
