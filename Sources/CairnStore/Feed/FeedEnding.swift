/// The reason why a subscription ends.
package enum FeedEnding: Hashable, Sendable {
  /// A caller ended the session, or it expired.
  case deleted, expired
  /// Missed entries cannot be read now.
  case fault
  /// The store is going down.
  case stopping
}
