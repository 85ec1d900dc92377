/// Some sessions by creation, oldest first, converted by the caller.
package struct SessionList<Item: Sendable>: Sendable {
  package var items: [Item] = []
  /// Ids of those that stand between them and cannot be read.
  package var damaged: [String] = []
  /// Where the next page begins; nil: there is none.
  package var next: String?

  package init() {}
}
