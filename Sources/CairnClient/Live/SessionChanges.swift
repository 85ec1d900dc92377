import CairnCore
import Foundation

/// A session's changes as they happen, in order and each exactly once, even if the connection is lost or the service restarts. The sequence ends after `ended`
/// and when its task is cancelled. It throws if opening the stream again would not help.
public struct SessionChanges: AsyncSequence, Sendable {
  public typealias Element = SessionEvent
  public typealias Failure = ClientError

  let session: SessionClient
  /// The revision after which the changes begin. If it is `nil`, the changes begin when the stream is opened, and the first event after
  /// `connected` is `reset`, with the whole session.
  let revision: Int?
  /// Whether each entry also contains its difference, with which a replica computes the next state.
  var prefersReplica = false

  public func makeAsyncIterator() -> Iterator {
    var call = Wire.Call("GET", session.requests.path + "/events", credential: session.secret)
    if prefersReplica { call.headers["Prefer"] = "replica" }
    return Iterator(stream: EventStream(session.requests.wire, call, lastID: revision.map { "\($0)" }), seen: session.seen)
  }

  /// The iterator of the events. Only one task may use it.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = ClientError

    var stream: EventStream
    let seen: SeenScreen

    public mutating func next() async throws(ClientError) -> SessionEvent? {
      while let part = try await stream.next() {
        switch part {
        case .opened: return .connected
        case .broken(let error): return .interrupted(error)
        case .event(let event): if let event = try sessionEvent(of: event) { return event }
        }
      }
      return nil
    }

    /// Converts an event of the stream. Returns `nil` for a type that this client does not know.
    private mutating func sessionEvent(of event: EventStreamParser.Event) throws(ClientError) -> SessionEvent? {
      switch event.type {
      case "reset":
        let view: SessionView = try read(event.data)
        seen.note(view.revision, view.visible, view.tree)
        return .reset(view)
      case "change":
        let entry: HistoryEntry = try read(event.data)
        seen.note(entry.revision, entry.changes)
        return .change(entry)
      case "end":
        let end: End = try read(event.data)
        guard let reason = SessionEvent.EndReason(rawValue: end.reason) else {
          // The service is stopping, or has disconnected a slow reader. The client can connect again.
          guard case .broken(let error) = stream.reopen(.unreachable("the stream ended: \(end.reason)")) else { return nil }
          return .interrupted(error)
        }
        stream.close()
        return .ended(reason)
      default: return nil
      }
    }

    private func read<Body: Decodable>(_ text: String) throws(ClientError) -> Body {
      do { return try JSONDecoder().decode(Body.self, from: Data(text.utf8)) } catch {
        throw .malformed("one of its events has an unexpected form")
      }
    }

    private struct End: Decodable { var reason: String }
  }
}

extension SessionClient {
  /// The changes since the stream is opened. The first event after `connected` is `reset`, with the whole session.
  public var changes: SessionChanges { SessionChanges(session: self, revision: nil) }

  /// The changes after a revision: first the changes that have already happened, then each new change.
  public func changes(after revision: Int) -> SessionChanges { SessionChanges(session: self, revision: revision) }
}
