import CairnClient
import CairnCore

/// Prints each event as one line of JSON, with the service's data unchanged.
struct WatchJSON: Watching {
  let needsSession = false

  mutating func show(_ event: SessionEvent, _ session: SessionView?) {
    let said: Value =
      switch event {
      case .connected: ["event": "connected"]
      case .reset(let session): ["event": "reset", "id": .integer(session.revision), "data": session.json]
      case .change(let entry): ["event": "change", "id": .integer(entry.revision), "data": entry.json]
      case .interrupted(let error): ["event": "interrupted", "data": ["detail": .string(error.text)]]
      case .ended(let reason): ["event": "end", "data": ["reason": .string(reason.rawValue)]]
      }
    Terminal.print(SessionReport.text(said, isPretty: false))
  }

  mutating func tick() {}

  mutating func end() {}
}
