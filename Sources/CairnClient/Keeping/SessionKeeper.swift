import CairnTransfer
import Foundation

/// Writes the content of a session to its file, one write after the other. While a write runs, only the newest content waits for the next one. Thread-safe.
final class SessionKeeper: Sendable {
  private struct State {
    /// The newest content, unless it is being written.
    var next: KeptSession?
    var isWriting = false
    var hasFailed = false
    /// The callers that wait until the content is on the disk.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let keeping: SessionKeeping
  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "cairn.keeping")

  init(_ keeping: SessionKeeping) { self.keeping = keeping }

  /// Writes this content, and drops earlier content that is not being written yet.
  func put(_ content: KeptSession) {
    let isFirst = state.withLock { state in
      state.next = content
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { queue.async { [self] in writeAll() } }
  }

  /// Returns when the content of all earlier calls of `put` is on the disk or could not be written.
  func settled() async {
    await withCheckedContinuation { caller in
      let isSettled = state.withLock { state in
        if state.isWriting { state.waiting.append(caller) }
        return !state.isWriting
      }
      if isSettled { caller.resume() }
    }
  }

  private func writeAll() {
    while true {
      let (content, callers) = state.withLock { state -> (KeptSession?, [CheckedContinuation<Void, Never>]) in
        defer { (state.next, state.waiting) = (nil, []) }
        if state.next == nil { state.isWriting = false }
        return (state.next, state.waiting)
      }
      if let content { write(content) }
      for caller in callers { caller.resume() }
      if content == nil { return }
    }
  }

  private func write(_ content: KeptSession) {
    do throws(OutboxDisk.Fault) {
      try OutboxDisk.replace(keeping.file, by: content.isEmpty ? nil : content.bytes)
    } catch {
      let isNew = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isNew {
        keeping.onNotice("a restart of this app loses the actions that are not sent yet: the file cannot be written (\(error.reason))")
      }
    }
  }
}
