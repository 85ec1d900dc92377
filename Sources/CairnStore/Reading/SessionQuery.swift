/// A filter of sessions. A `nil` member does not filter.
package struct SessionQuery: Hashable, Sendable {
  package var app: String?
  package var label: String?
  /// The hash of a definition.
  package var definition: String?
  /// Created at this moment or later, milliseconds since 1970.
  package var createdAfter: Int?
  /// Created before this moment.
  package var createdBefore: Int?
  /// Not changed since before this moment; of a manual clock, which tells no such time, created before it.
  package var idleSince: Int?
  /// Where to go on: what a page said, or a session's id.
  package var after: String?
  /// Sessions in the page at most.
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

  /// Whether it says anything of the sessions.
  package var isFilter: Bool {
    app != nil || label != nil || definition != nil || createdAfter != nil || createdBefore != nil || idleSince != nil
  }
}
