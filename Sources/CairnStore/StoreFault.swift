package import CairnCore

/// Why the store did not do what was asked; nothing of it lasted.
package enum StoreFault: Error, Sendable {
  case unknownSession
  case unknownRevision(newest: Int)
  /// `If-Match` named other revisions than this one.
  case conflict(current: RevisionTag)
  /// `index` counts the commands of the request from 0; `revision` is the one it was judged by.
  case refused(Refusal, index: Int, revision: Int)
  /// The key came with another request before, or made a session so long ago that its answer is forgotten.
  case keyReused
  case queueFull
  case stopping
  /// The journal could not do it; the text is for the log.
  case storage(String)

  /// Why one session's part of a batch was not written.
  init(_ error: JournalError) {
    switch error {
    case .tooLarge:
      self = .refused(Refusal(.sessionTooLarge, "the session would be larger than the journal takes"), index: 0, revision: 0)
    default: self = .storage("\(error)")
    }
  }
}
