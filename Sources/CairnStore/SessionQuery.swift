/// Which sessions are asked for.
package struct SessionQuery: Hashable, Sendable {
  package var app: String?
  package var label: String?
  /// A session id; those created after it.
  package var after: String?
  package var limit: Int

  package init(app: String? = nil, label: String? = nil, after: String? = nil, limit: Int) {
    self.app = app
    self.label = label
    self.after = after
    self.limit = limit
  }
}
