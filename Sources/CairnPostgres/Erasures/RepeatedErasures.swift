/// The erasures that a look at their list found undone in the journal, and repeated.
package struct RepeatedErasures: Hashable, Sendable {
  /// Sessions that were deleted before, and histories that were forgotten before.
  package var deleted = 0
  package var forgotten = 0
  /// Sessions whose history cannot be read, so that it was not forgotten again.
  package var unreadable: [String] = []
  /// Whether the journal is older than it was, because of a restore or a loss.
  package var isOlder = false

  package var isEmpty: Bool { deleted == 0 && forgotten == 0 && unreadable.isEmpty && !isOlder }

  /// One line for each thing that `cairn verify` reports.
  package var faults: [String] {
    var faults = isOlder ? [Self.olderReason] : []
    if deleted + forgotten > 0 {
      faults.append(
        "\(deleted) deleted sessions and \(forgotten) forgotten histories have returned; start a node, or run cairn restore --erasures")
    }
    return faults
  }

  /// The reason for an operator why the journal counts as older.
  package static let olderReason =
    "the database is older than before: a backup was restored, or acknowledged changes were lost; put the newer database back, if it exists"
}
