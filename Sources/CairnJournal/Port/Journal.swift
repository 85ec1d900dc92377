/// The durable storage of sessions, in parts by topic. Other modules do not depend on the backend. The parts are called concurrently by the
/// writer's and the readers' threads, except for `writer`.
package protocol Journal: Sendable {
  /// The part that commits. Used by the writer's thread only.
  var writer: any JournalWriter { get }
  var sessions: any SessionJournal { get }
  var history: any EntryJournal { get }
  var answers: any AnswerJournal { get }
  var documents: any DocumentJournal { get }
  var cluster: any ClusterJournal { get }
  /// The reason why writes fail after the start, until `JournalWriter.probe` succeeds; `nil` if writes work. Reads work in any case.
  var startFault: JournalError? { get }
  /// 32 random bytes that are created with the journal and never change. The ids and secrets of sessions that are created under idempotency
  /// keys, the fingerprints of requests, and the code verifiers of logins are derived from them.
  var derivationKey: [UInt8] { get }
  /// The key for the hashes of entries.
  var hashKey: SipHash.Key { get }
  /// Statistics of the journal. Can be read on any thread.
  var figures: JournalFigures { get }
  /// Flushes all data and releases the files. Later calls throw `.closed`.
  func close()
}

extension Journal {
  package var cluster: any ClusterJournal { SingleNode() }

  package var startFault: JournalError? { nil }

  package var hashKey: SipHash.Key { SipHash.Key(from: derivationKey, for: "entries") }

  package var figures: JournalFigures { JournalFigures() }
}
