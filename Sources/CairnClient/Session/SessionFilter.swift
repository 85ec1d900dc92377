/// Which sessions are meant; a member that is nil leaves it open.
public struct SessionFilter: Sendable, Hashable {
  public var app: String?
  public var label: String?
  /// The hash of the definition that they are on.
  public var definition: String?
  /// A time in UTC, a day, or how long ago (`30d`).
  public var createdAfter: String?
  /// The same.
  public var createdBefore: String?

  public init(
    app: String? = nil, label: String? = nil, definition: String? = nil, createdAfter: String? = nil, createdBefore: String? = nil
  ) {
    self.app = app
    self.label = label
    self.definition = definition
    self.createdAfter = createdAfter
    self.createdBefore = createdBefore
  }

  /// As parameters of a query.
  var parameters: [(String, String?)] {
    [("app", app), ("label", label), ("definition", definition), ("created_after", createdAfter), ("created_before", createdBefore)]
  }
}
