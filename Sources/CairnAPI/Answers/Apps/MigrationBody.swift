import CairnCore

/// A migration document, without its text.
package struct MigrationBody: DescribedBody, Sendable {
  package var app: String
  /// The hashes of the old and the new definition.
  package var from, to: String
  /// The time at which the document was stored, in milliseconds since 1970.
  package var since: Int
  /// The operator who stored the document; `nil` if the operator is unknown.
  package var by: String?

  package init(app: String, from: String, to: String, since: Int, by: String?) {
    self.app = app
    self.from = from
    self.to = to
    self.since = since
    self.by = by
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.maybe("by", body?.by, "The operator who stored the migration.")
    visitor.always("from", body?.from, "The hash of the old definition.")
    visitor.always("since", (body?.since).map(Timestamp.init))
    visitor.always("to", body?.to, "The hash of the new definition.")
  }

  package static var firstRequired: [String] { ["app", "from", "to"] }
}

/// The migration documents of an app.
package struct MigrationsBody: DescribedBody, Sendable {
  package var app: String
  package var migrations: [MigrationBody]

  package init(app: String, migrations: [MigrationBody]) {
    self.app = app
    self.migrations = migrations
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always(
      "migrations", body?.migrations, "The migrations, sorted by the hashes of their definitions.", as: .list(of: .shared(.migration)))
  }
}
