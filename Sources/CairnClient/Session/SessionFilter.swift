/// Selects sessions. A member that is `nil` does not restrict the selection.
public struct SessionFilter: Sendable, Hashable {
  public var app: String?
  public var label: String?
  /// The hash of the sessions' definition.
  public var definition: String?
  /// Selects sessions created at this time or later: a time in UTC, a date, or an age such as `30d`.
  public var createdAfter: String?
  /// Selects sessions created before this time, in the same formats.
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

  /// The members as query parameters.
  var parameters: [(String, String?)] {
    [("app", app), ("label", label), ("definition", definition), ("created_after", createdAfter), ("created_before", createdBefore)]
  }
}
