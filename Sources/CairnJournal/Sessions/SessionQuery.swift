/// A filter of sessions. A `nil` member does not filter.
package struct SessionQuery: Hashable, Sendable {
  package var app: String?
  package var label: String?
  /// The hash of the definition that the sessions have.
  package var definition: String?
  /// The earliest time of creation, in milliseconds since 1970.
  package var createdAfter: Int?
  /// The time before which the sessions were created, exclusive, in milliseconds since 1970.
  package var createdBefore: Int?
  /// The time since which the sessions have not changed, in milliseconds since 1970. For a session with a manual clock, the time of its
  /// creation counts instead.
  package var idleSince: Int?
  /// The place after which the page begins: the cursor of a previous page, or a session's id; `nil` for the first page.
  package var after: String?
  /// The maximum number of sessions in the page.
  package var limit: Int

  package init(
    app: String? = nil, label: String? = nil, definition: String? = nil, createdAfter: Int? = nil, createdBefore: Int? = nil,
    idleSince: Int? = nil, after: String? = nil, limit: Int
  ) {
    self.app = app
    self.label = label
    self.definition = definition
    self.createdAfter = createdAfter
    self.createdBefore = createdBefore
    self.idleSince = idleSince
    self.after = after
    self.limit = limit
  }

  /// Whether the query restricts the sessions by any filter.
  package var isFilter: Bool {
    app != nil || label != nil || definition != nil || createdAfter != nil || createdBefore != nil || idleSince != nil
  }
}
