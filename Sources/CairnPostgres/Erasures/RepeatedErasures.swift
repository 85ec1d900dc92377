import CairnCore

/// The listed erasures that the journal lacks: those that `repeatErasures` has repeated, or those that it would repeat (`outstandingErasures`).
package struct RepeatedErasures: Hashable, Sendable {
  /// The number of sessions that were deleted again, and of histories that were forgotten again.
  package var deleted = 0
  package var forgotten = 0
  /// The sessions whose history cannot be read and was therefore not forgotten again.
  package var unreadable: [String] = []
  /// Whether the journal is in an older state than before, because of a restore or a loss.
  package var isOlder = false

  package var isEmpty: Bool { deleted == 0 && forgotten == 0 && unreadable.isEmpty && !isOlder }

  /// The lines that `cairn verify` reports.
  package var faults: [String] {
    var faults = isOlder ? [Self.olderReason] : []
    if deleted + forgotten > 0 {
      let histories = CountText.of(forgotten, "forgotten history", plural: "forgotten histories")
      let found = "\(CountText.of(deleted, "deleted session")) and \(histories) have returned to the database"
      faults.append("\(found); the start of a node, or cairn restore --erasures, erases them again")
    }
    return faults
  }

  /// The reason, for the operator, why the journal counts as older.
  package static let olderReason =
    "the database is older than before: a backup was restored, or acknowledged changes were lost; if the newer database still exists, put it back"
}
