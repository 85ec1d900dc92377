package import CairnCore

/// A change of a session under an idempotency key, which runs once even if it is posted repeatedly. A class, so that a `Message` stays small.
package final class KeyedPost: Sendable {
  let work: Work
  let session: String
  let matching: [RevisionTag]?
  let origin: EntryOrigin
  let key: RequestKey
  let render: @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)

  /// The change that a request makes.
  package enum Work: Sendable {
    /// `message` is the fingerprint of the notification that the commands come from, if any.
    case commands([Command], madeFor: ClientDefinition? = nil, message: Fingerprint? = nil)
    case alteration(Alteration)
    case forgetting(Forgetting)
    /// A state that the request needs could not be read. It fails, unless it ran before.
    case failed(StoreFault)

    /// The work that was read for, or else a failure.
    package static func of(_ result: Result<Work, StoreFault>) -> Work {
      switch result {
      case .success(let work): work
      case .failure(let fault): .failed(fault)
      }
    }
  }

  /// `matching` is checked as for any post, but not for repetitions. `render` builds the response from the result and the session's new state, on the
  /// writer's thread. The response is stored with the same commit.
  package init(
    _ work: Work, to session: String, matching: [RevisionTag]? = nil, origin: EntryOrigin = EntryOrigin(), key: RequestKey,
    render: @escaping @Sendable (Result<Posted, StoreFault>, Session) -> (RenderedAnswer, word: String)
  ) {
    self.work = work
    self.session = session
    self.matching = matching
    self.origin = origin
    self.key = key
    self.render = render
  }

  /// The commands; empty if other work is done.
  var commands: [Command] { if case .commands(let commands, _, _) = work { commands } else { [] } }
}
