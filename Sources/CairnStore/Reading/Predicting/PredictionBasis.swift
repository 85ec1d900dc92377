import CairnCore
import CairnJournal

/// A state for which predictions can be computed.
package enum PredictionBasis: Sendable {
  case session(Session)
  /// The state after an entry that was read from the history.
  indirect case replayed(HistoryItem)

  var state: State {
    switch self {
    case .session(let session): session.state
    case .replayed(let item): item.after
    }
  }

  var reducer: Reducer {
    switch self {
    case .session(let session): session.definition.reducer
    case .replayed(let item): item.reducer
    }
  }

  /// The stamp of the next entry. The times of a session's entries never decrease, even if the machine's clock is set back.
  func stamp(_ now: Int, _ nonce: String) -> Stamp {
    switch self {
    case .session(let session): session.stamp(now, nonce)
    case .replayed(let item): Stamp(time: item.after.manualTime ?? max(now, item.entry.stamp.time), nonce: nonce)
    }
  }
}
