/// Why nothing more is heard of a session.
package enum FeedEnding: Hashable, Sendable {
  /// Somebody ended it, or its time was over.
  case deleted, expired
  /// What was missed cannot be read now.
  case fault
  /// The store is going down.
  case stopping
}
