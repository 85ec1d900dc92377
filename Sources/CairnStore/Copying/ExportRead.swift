import CairnCore
import CairnJournal

/// Writes a session to a file in memory, some entries per step. The file contains the session as it is at the first step; later changes are
/// not included.
struct ExportRead: SteppedRead {
  private let id: String
  private let limit: Int
  private let crypto: SessionFile.Crypto
  /// The name of the file. The encrypted secrets are bound to it, so that they cannot be moved to another file.
  private let file: String
  private var session: Session?
  private var bytes: [UInt8] = []
  private var revision = 0
  /// The hash of the last entry written so far.
  private var hash: UInt64 = 0
  private var definitions: Set<String> = []

  /// The number of entries per step.
  private static let stride = 128

  /// Creates the read. If the file would exceed `limit` bytes, the read throws a refusal.
  init(_ id: String, file: String, limit: Int, _ crypto: SessionFile.Crypto) {
    self.id = id
    self.file = file
    self.limit = limit
    self.crypto = crypto
  }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> [UInt8]? {
    guard let session else {
      let session = try parts.existing(id)
      self.session = session
      hash = session.identity.hash(parts.hashKey)
      writeHead(of: session)
      return nil
    }
    do throws(JournalError) {
      if revision == 0, session.beginning > 0 { try addBeginning(of: session, parts) }
      try addEntries(of: session, parts)
      if revision == session.state.revision { try addEnd(of: session, parts) } else if bytes.count <= limit { return nil }
    } catch {
      // A part of the history was forgotten during the export. A new attempt begins with the new first state.
      if case .forgotten = error { throw .contended }
      throw .storage("\(error)")
    }
    guard bytes.count <= limit else {
      let refusal = Refusal(.sessionTooLarge, "the file would be larger than the maximum of \(limit) bytes (setting sessionFile)")
      throw .refused(refusal, index: 0, revision: revision)
    }
    return bytes
  }

  private mutating func writeHead(of session: Session) {
    line(
      SessionFileLine.Head(
        file: file, session: session.id, app: session.app, label: session.label, createdAt: session.createdAt,
        first: max(1, session.beginning), last: session.state.revision))
  }

  /// Adds the state with which the history begins if earlier entries were forgotten.
  private mutating func addBeginning(of session: Session, _ parts: StoreParts) throws(JournalError) {
    guard let first = try parts.history.past(of: session.id, at: session.beginning) else {
      throw .unreadable("the first state of session \(session.id) is missing from the journal")
    }
    try add(definition: first.definition, parts)
    line(
      SessionFileLine.beginning(revision: first.revision, time: first.time, definition: first.definition, format: StateFormat.version))
    raw(StateFormat.snapshot(first.state))
    (revision, hash) = (first.revision, first.hash)
  }

  /// Adds the text of a definition, unless the file already contains it.
  private mutating func add(definition name: String, _ parts: StoreParts) throws(JournalError) {
    guard definitions.insert(name).inserted else { return }
    let text = try parts.library.definition(name, in: parts.documents).text
    line(SessionFileLine.definition(name))
    raw(Array(text.utf8))
  }

  private mutating func addEntries(of session: Session, _ parts: StoreParts) throws(JournalError) {
    let count = min(Self.stride, session.state.revision - revision)
    let entries = try parts.history.entries(of: session.id, after: revision, limit: count)
    guard entries.count == count else { throw .unreadable("entry \(revision + entries.count + 1) is missing from the journal") }
    for entry in entries {
      hash = entry.hash(after: hash, parts.hashKey)
      guard hash == entry.hash else {
        throw .unreadable("entry \(entry.entry.revision) was changed after it was written: its hash differs")
      }
      if let name = entry.definition { try add(definition: name, parts) }
      add(entry)
    }
    revision += count
  }

  private mutating func add(_ entry: JournalEntry) {
    line(
      SessionFileLine.entry(
        revision: entry.entry.revision, stamp: entry.entry.stamp, engine: entry.engine, format: entry.format,
        definition: entry.definition, request: entry.entry.request))
    raw(entry.cause)
    raw(entry.difference)
  }

  private mutating func addEnd(of session: Session, _ parts: StoreParts) throws(JournalError) {
    if let seal = crypto.seal {
      for slot in session.state.secretSlots {
        let secret = try parts.sessions.secret(slot, of: session.id)
        if secret == nil, slot.mayBeGone { continue }
        guard let box = secret.flatMap({ seal($0, slot.purpose(of: file)) }) else {
          throw .unreadable("a secret of session \(session.id) is missing")
        }
        line(SessionFileLine.secret(slot, box: box))
      }
    }
    line(SessionFileLine.state(revision: session.state.revision, format: StateFormat.version))
    raw(StateFormat.snapshot(session.state))
    let digest = Hexadecimal.text(of: crypto.digest(bytes[...]))
    line(SessionFileLine.End(revision: session.state.revision, digest: digest))
  }

  private mutating func line(_ line: some Coded) { raw(line.stored) }

  private mutating func raw(_ line: [UInt8]) {
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
  }
}
