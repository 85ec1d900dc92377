import CairnAPI
import CairnClient
import CairnCore
import Foundation

/// Formats a history entry as one line.
enum EntryLine {
  /// Returns a line such as `7  2026-11-21T12:03:11.000Z  movieIsPicked(withId: 5)  performed: push movieDetail(movieId: 5) on wishlist`.
  static func of(_ entry: HistoryEntry, _ change: ChangeText = ChangeText()) -> StyledLine {
    var line = StyledLine("\(entry.revision)", .bold)
    line.add("  \(text(entry.at))", .dim)
    if let received = entry.receivedAt { line.add(" (received \(text(received)))", .dim) }
    line.add("  \(CauseText.text(entry.cause))")
    if let by = entry.by { line.add(" by \(by)", .dim) }
    line.add("  \(entry.outcome.rawValue)", entry.outcome == .performed ? .green : .yellow)
    if let reason = entry.reason { line.add(" (\(reason))") }
    let changes = change.text(entry.changes)
    if !changes.isEmpty { line.add(": \(changes)") }
    return line
  }

  private static func text(_ time: Date) -> String { Timestamp.text(Int((time.timeIntervalSince1970 * 1_000).rounded())) }
}
