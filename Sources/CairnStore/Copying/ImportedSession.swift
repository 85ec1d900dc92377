import CairnCore
import CairnJournal

/// A session that was read from a file, with the hashes that it has in this journal.
package final class ImportedSession: Sendable {
  /// The newest state.
  package let session: Session
  /// The entries, oldest first: all of them, or only those after the staged ones if `staged` is set.
  let entries: [JournalEntry]
  /// The place in the journal at which the entries before `entries` are staged; `nil` if no entries are staged.
  let staged: Int?
  /// The state before the first entry, if earlier entries were forgotten; otherwise `nil`.
  let beginning: PastState?
  /// The session at some earlier revisions, in ascending order. The journal stores these states as snapshots.
  let stages: [SessionRecord]
  let secrets: [SecretSlot: String]
  /// The definitions that the entries set.
  let definitions: [PinnedDefinition]

  init(
    _ session: Session, _ entries: [JournalEntry], beginning: PastState?, stages: [SessionRecord], secrets: [SecretSlot: String],
    definitions: [PinnedDefinition], staged: Int? = nil
  ) {
    self.session = session
    self.entries = entries
    self.beginning = beginning
    self.stages = stages
    self.secrets = secrets
    self.definitions = definitions
    self.staged = staged
  }

  /// The limits of a slice. A slice ends at the first of the `stages` at which it has at least this number of entries, or at least this
  /// number of bytes of causes and differences.
  static let slice = (entries: 1_024, bytes: 1 << 20)

  /// The groups of entries to stage. Each group is one commit, and ends at one of the `stages`. The last entries are not included, because
  /// they are committed with the session. Empty if the session has few entries.
  var slices: [StagedEntries] {
    var slices: [StagedEntries] = []
    var next = StagedEntries([], stages: [], definitions: Dictionary(definitions.map { ($0.hash, $0.text) }) { first, _ in first })
    var rest = entries[...]
    var bytes = 0
    for stage in stages {
      let part = rest.prefix { $0.entry.revision <= stage.state.revision }
      rest = rest.dropFirst(part.count)
      next.entries += part
      next.stages.append(stage)
      bytes += part.reduce(0) { $0 + $1.cause.count + $1.difference.count }
      guard next.entries.count >= Self.slice.entries || bytes >= Self.slice.bytes, !rest.isEmpty else { continue }
      slices.append(next)
      next = StagedEntries([], stages: [])
      bytes = 0
    }
    return slices
  }

  /// Returns the session with the remaining entries, after `slices` have been staged at a place in the journal.
  func following(_ slices: [StagedEntries], at place: Int) -> ImportedSession {
    let last = slices.last?.entries.last?.entry.revision ?? 0
    return ImportedSession(
      session, entries.filter { $0.entry.revision > last }, beginning: beginning, stages: stages.filter { $0.state.revision > last },
      secrets: secrets, definitions: definitions, staged: place)
  }
}
