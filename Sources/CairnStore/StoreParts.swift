import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal

/// The objects that the writer and the readers share.
struct StoreParts: Sendable {
  let journal: any Journal
  /// The key for the hashes of entries, from the journal.
  let hashKey: SipHash.Key
  /// Derives the code verifiers of logins.
  let proofs: ProofKeys
  /// Opens the values that clients have sealed.
  let sealing: SealingKeys
  let outbound: any Outbound
  let clock: any Clock
  let limits: StoreLimits
  let library: DefinitionLibrary
  let migrations: MigrationLibrary
  /// The environment variables that a definition names, for sessions that are migrated to it. Can be called on any thread.
  let environment: @Sendable (Definition) -> [String: String]
  let cache: SessionCache
  let committed: CommittedSessions
  let nodes: any NodeSessions
  let mailbox: Mailbox
  let nonce: @Sendable () -> String
  let log: @Sendable (StoreEvent) -> Void
  let figures: Lock<StoreFigures>
  let damaged = DamagedSessions()
  /// The failures of background tasks.
  let faults: BackgroundFaults
  let feed: Feed
  let fullJournals = FullJournals()
  let losses: KnownLosses

  var sessions: any SessionJournal { journal.sessions }
  var history: any EntryJournal { journal.history }
  var answers: any AnswerJournal { journal.answers }
  var documents: any DocumentJournal { journal.documents }
  var cluster: any ClusterJournal { journal.cluster }

  /// The app that a stored definition names (`DefinitionLibrary.owner`).
  func owner(of hash: String) -> String? { library.owner(of: hash, in: documents) }

  /// The stored response to a request with a key; `nil` if no response is stored, or if it has expired. Must be called on the writer's
  /// thread.
  func kept(_ key: AnswerKey, of session: String) throws(StoreFault) -> KeptAnswer? { try kept(key, of: session, in: journal.writer) }

  /// The stored response to a request with a key; `nil` if no response is stored, or if it has expired. `answers` is the part of the
  /// journal that the calling thread may use.
  func kept(_ key: AnswerKey, of session: String, in answers: any AnswerJournal) throws(StoreFault) -> KeptAnswer? {
    do {
      guard let kept = try answers.answer(key, of: session), kept.until > clock.now() else { return nil }
      return kept
    } catch {
      throw .storage("\(error)")
    }
  }

  /// The keys under which the journal stores responses of a session. Called on the writer's thread.
  func keys(of session: String) throws(StoreFault) -> [Fingerprint] {
    do {
      return try journal.writer.keys(of: session)
    } catch {
      throw .storage("\(error)")
    }
  }
}
