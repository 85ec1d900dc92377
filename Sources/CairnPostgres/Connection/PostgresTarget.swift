import CPostgres
import Foundation
import Glibc
import Synchronization

/// A database and the schema of the tables. Descriptions never contain the password.
package struct PostgresTarget: Sendable {
  /// A URL or a list of `key=value`, as libpq parses it.
  private let text: String
  /// The file that contains the URL; `nil` if the URL is not from a file.
  private let file: String?
  package let schema: String
  /// Whether statements are prepared. Must be `false` behind a pooler in transaction mode that does not support prepared statements.
  package let isPrepared: Bool
  /// Host, port, database and user, for messages.
  package let name: String
  /// The connections to the database. Copies of the target share them.
  let connections: OpenConnections

  /// Thrown if the URL cannot be parsed or the name of the schema is invalid. The description contains no password.
  package struct Invalid: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// The same database with the schema for the list of erasures. The name of this schema is that of the journal's schema with `_erasures` appended.
  var forErasures: PostgresTarget { PostgresTarget(self, schema: schema + "_erasures") }

  private init(_ other: PostgresTarget, schema: String) {
    (text, file, isPrepared, name, connections) = (other.text, other.file, other.isPrepared, other.name, other.connections)
    self.schema = schema
  }

  /// Creates a target. Throws if the URL cannot be parsed or the schema's name is invalid. If the URL is from a file, every connection
  /// reads the file again, so that a new password needs no restart.
  package init(_ text: String, from file: String? = nil, schema: String = "cairn", isPrepared: Bool = true) throws(Invalid) {
    guard !schema.isEmpty, schema.utf8.allSatisfy({ Self.isOfName($0) }), schema.utf8.count <= 40 else {
      throw Invalid(description: "the schema must consist of 1 to 40 characters of a-z, 0-9 and _")
    }
    self.text = text
    self.file = file
    self.schema = schema
    self.isPrepared = isPrepared
    connections = OpenConnections()
    let found = try Self.options(text)
    let host = found["host"] ?? found["hostaddr"] ?? "local"
    name = "\(found["user"].map { "\($0)@" } ?? "")\(host)\(found["port"].map { ":\($0)" } ?? "")/\(found["dbname"] ?? "")"
  }

  /// Whether a text has the scheme of a PostgreSQL URL.
  package static func isURL(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

  /// Whether the text contains a password.
  package static func hasPassword(_ text: String) -> Bool { (try? options(text))?["password"] != nil }

  /// The SQL text with the schema instead of `@`.
  func text(_ sql: String) -> String { sql.replacing("@", with: "\"\(schema)\".") }

  /// The options of the URL, read again from the file if there is one. If the file contains no valid URL at the moment, for example while it is being
  /// replaced, these are the options of the URL that was given at the start.
  private var options: [String: String] {
    let newest = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }?.trimmingCharacters(in: .whitespacesAndNewlines)
    if let newest, Self.isURL(newest), let found = try? Self.options(newest) { return found }
    return (try? Self.options(text)) ?? [:]
  }

  /// The number of servers that the URL names. One of them accepts writes at a time.
  var servers: Int {
    let given = options
    return max(1, (given["hostaddr"] ?? given["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false).count)
  }

  /// Begins a connection to one of the servers. Unless the URL sets other values, a lost network is detected after 11 seconds, and
  /// connections require TLS except on the loopback interface. Returns `nil` if libpq has no memory.
  func start(as purpose: String, server: Int) -> OpaquePointer? {
    var given = options
    for name in ["host", "hostaddr", "port"] {
      let all = given[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
      // A single port applies to all servers.
      if all.count > 1 { given[name] = String(all[server % all.count]) }
    }
    let host = given["host"] ?? given["hostaddr"] ?? ""
    let isLocal = host.isEmpty || host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
    var values = [
      "application_name": "cairn/\(purpose)", "connect_timeout": "5", "keepalives_idle": "5", "keepalives_interval": "2",
      "keepalives_count": "3", "tcp_user_timeout": "5000", "target_session_attrs": "read-write", "client_encoding": "UTF8",
    ]
    if !isLocal { values["sslmode"] = "require" }
    // Generic plans are used, because planning each batch costs more than running it, and another plan may lock the rows in another order.
    // A pooler refuses these settings, so without prepared statements they must be set for the role (`cairn migrate --grant`).
    let settings = "-c plan_cache_mode=force_generic_plan -c statement_timeout=10000 -c lock_timeout=2000"
    values.merge(given) { $1 }
    if isPrepared { values["options"] = given["options"].map { "\($0) \(settings)" } ?? settings }
    let names = Array(values.keys)
    let pairs = names.map { (strdup($0), strdup(values[$0] ?? "")) }
    defer {
      for (name, value) in pairs {
        free(name)
        free(value)
      }
    }
    return PQconnectStartParams(pairs.map { UnsafePointer($0.0) } + [nil], pairs.map { UnsafePointer($0.1) } + [nil], 0)
  }

  /// Returns the reason why a connection could not be opened: the first line of libpq's text, which names the host and the reason.
  func fault(of connection: OpaquePointer?) -> String {
    let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    return text.split(separator: "\n").first.map(String.init) ?? "the connection failed"
  }

  private static func options(_ text: String) throws(Invalid) -> [String: String] {
    guard let list = PQconninfoParse(text, nil) else {
      // libpq's message may repeat the password.
      throw Invalid(description: "the database URL is invalid; it must have the form postgres://user@host:port/database?option=value")
    }
    defer { PQconninfoFree(list) }
    var found: [String: String] = [:]
    var option = list
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return found
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_")
  }
}

/// Counts the connections of this process. Thread-safe.
final class OpenConnections: Sendable {
  private let number = Atomic(0)
  private let opened = Atomic(0)

  /// The number of connections that are open or being opened, and of all connections since the start.
  var counts: (open: Int, total: Int) { (number.load(ordering: .relaxed), opened.load(ordering: .relaxed)) }

  func count(_ difference: Int) {
    number.add(difference, ordering: .relaxed)
    if difference > 0 { opened.add(difference, ordering: .relaxed) }
  }
}

extension PostgresTarget: CustomStringConvertible, CustomReflectable {
  package var description: String { name }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
