package import CairnCore
package import CairnJournal

/// A request that changes a session.
package struct Post: Sendable {
  let work: Work
  let session: String
  let matching: [RevisionTag]?
  let origin: EntryOrigin

  /// The change that a request makes.
  package enum Work: Sendable {
    /// Runs commands. `madeFor` is the definition for which the client made the commands; `nil` means the session's definition. `message`
    /// is the fingerprint of the message that caused the commands; `nil` if no message did. A session processes a message once; the result
    /// of a repetition is `unchanged`.
    case commands([Command], madeFor: ClientDefinition? = nil, message: Fingerprint? = nil)
    case alteration(Alteration)
    case forgetting(Forgetting)
    /// A state that the request needs could not be read. The request fails with this fault unless it is a repetition, which gets its stored
    /// response.
    case failed(StoreFault)

    /// Converts a result to work: its value, or `failed` with its fault.
    package static func of(_ result: Result<Work, StoreFault>) -> Work {
      switch result {
      case .success(let work): work
      case .failure(let fault): .failed(fault)
      }
    }
  }

  /// Creates a post. `matching` contains the expected revisions; `nil` accepts any.
  package init(_ work: Work, to session: String, matching: [RevisionTag]? = nil, origin: EntryOrigin = EntryOrigin()) {
    self.work = work
    self.session = session
    self.matching = matching
    self.origin = origin
  }

  /// Whether the post may take long.
  var isLong: Bool {
    if case .commands(let commands, _, _) = work { commands.areLong } else { false }
  }
}

extension Collection<Command> {
  /// Whether the commands may take long: there are many, or one advances a manual clock, which can run many effects.
  var areLong: Bool {
    count > 16
      || contains { command in
        if case .advance = command { true } else { false }
      }
  }
}
