/// The reason why a subscription ends.
package enum FeedEnding: Hashable, Sendable {
  /// A caller ended the session, or it expired.
  case deleted, expired
  /// Missed entries could not be read.
  case fault
  /// The store is stopping.
  case stopping
}
