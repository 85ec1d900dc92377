import CPostgres

/// libpq, the client library of PostgreSQL.
package enum PostgresLibrary {
  /// The version of libpq in use, such as `15.13`.
  package static var version: String {
    let number = PQlibVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }
}
