import CairnClient
import CairnRuntime
import Foundation

/// The inputs of a watch, in the order of their arrival.
enum WatchInput: Sendable {
  case event(SessionEvent)
  /// The stream failed and is not opened again.
  case failed(ClientError)
  /// A second has passed.
  case tick
  /// The user or a signal ended the watch, or the stream ended.
  case isOver

  /// Returns a stream of all inputs. `ProcessSignals.block()` must have been called. `after` is the revision that the caller already has.
  /// `isLive` is whether the stream contains ticks.
  static func all(of session: SessionClient, after revision: Int, isLive: Bool, _ keyboard: Keyboard?) -> AsyncStream<WatchInput> {
    AsyncStream { inputs in
      let stream = Task {
        do throws(ClientError) {
          var changes = session.changes(after: revision).makeAsyncIterator()
          while let event = try await changes.next() { inputs.yield(.event(event)) }
          inputs.yield(.isOver)
        } catch {
          inputs.yield(.failed(error))
        }
      }
      let clock = Task {
        while isLive {
          try await Task.sleep(for: .seconds(1))
          inputs.yield(.tick)
        }
      }
      keyboard?.read { key in
        // q, Ctrl-C, Ctrl-D.
        if key == nil || [UInt8(ascii: "q"), 3, 4].contains(key) { inputs.yield(.isOver) }
      }
      Thread.detachNewThread {
        while ProcessSignals.wait() == .user {}
        inputs.yield(.isOver)
      }
      inputs.onTermination = { _ in
        stream.cancel()
        clock.cancel()
      }
    }
  }
}
