import CairnCore
package import CairnJournal

/// Copies a journal into an empty journal of another backend. Copies definitions, editions, migrations, rollouts, and sessions with their
/// entries, secrets and stored responses. Revisions and hashes stay the same. An interrupted copy continues when it is run again. Nothing
/// may write to the source during the copy. Not safe for concurrent use.
package struct JournalCopy {
  private let source: any CopySource
  private let target: any CopyTarget
  private let isWanted: () -> Bool
  private let told: (_ sessions: Int, _ entries: Int) -> Void
  private var batch: [SessionWrite] = []
  /// The size of the entries in `batch` in bytes.
  private var weight = 0
  /// The numbers of sessions and entries copied so far.
  private var sessions = 0
  private var entries = 0

  /// The maximum number of sessions per commit, and of entries per read.
  private static let stride = 64
  private static let page = 500
  /// The size in bytes at which a batch is committed.
  private static let size = 4 << 20

  /// Thrown by `run` after `isWanted` has returned `false`.
  package struct Interrupted: Error {}

  /// Creates a copy. `isWanted` is called before each step; once it returns `false`, `run` throws `Interrupted`. `told` is called after each group of up to
  /// 64 sessions with the numbers of sessions and entries copied so far.
  package init(
    from source: any CopySource, to target: any CopyTarget, while isWanted: @escaping () -> Bool,
    told: @escaping (_ sessions: Int, _ entries: Int) -> Void
  ) {
    self.source = source
    self.target = target
    self.isWanted = isWanted
    self.told = told
  }

  /// Copies the missing data, then marks the copy as complete, so that services can open the target. Returns the numbers of sessions and entries that this call
  /// has copied.
  package mutating func run() throws -> (sessions: Int, entries: Int) {
    try copyDefinitions()
    var place = try target.copied()
    // If an earlier copy was interrupted before it recorded its progress, the target may contain sessions after `place`, or parts of them.
    var mayExist = place > 0
    while true {
      let next = try source.sessions.roster(after: place, limit: Self.stride)
      guard let last = next.last?.place else { break }
      if place == 0 { mayExist = try target.sessions.count() > 0 }
      for (_, id) in next { try copy(id, mayExist: mayExist) }
      try commit()
      try target.noteCopied(upTo: last)
      mayExist = false
      place = last
      told(sessions, entries)
    }
    try target.keepCreations(try source.spentCreations())
    try target.endCopy()
    return (sessions, entries)
  }

  private func copyDefinitions() throws {
    for hash in try source.documents.definitions() {
      guard isWanted() else { throw Interrupted() }
      if let text = try source.documents.definition(hash) { try target.writer.commit(JournalBatch(definitions: [hash: text])) }
    }
    let known = Set(try target.documents.editions().intact.map(\.app))
    let editions = try source.documents.editions()
    for app in editions.damaged.keys.sorted() { try editions.require(app) }
    for app in editions.intact.map(\.app) {
      // A migration that was already copied is replaced by the same document.
      for migration in try source.documents.migrations(of: app) { try target.documents.keep(migration) }
      if !known.contains(app) { try target.documents.publish(try source.documents.editions(of: app), texts: [:]) }
    }
    let begun = try target.documents.rollouts()
    let rollouts = try source.documents.rollouts()
    if let fault = rollouts.damaged.first { throw JournalError.unreadable("the rollout of \(fault.app): \(fault.reason)") }
    for rollout in rollouts.intact where begun.version(of: rollout.app) == 0 { try target.documents.keep(rollout, after: 0) }
  }

  private mutating func copy(_ id: String, mayExist: Bool) throws {
    guard let session = try source.sessions.session(id) else { return }
    let identity = session.identity
    var revision = mayExist ? try target.sessions.version(of: id)?.revision ?? 0 : 0
    let past = revision > 0 ? try source.history.past(of: id, at: revision) : nil
    var state = past?.state ?? StateFormat.empty
    // The record of a write also names the definition at its revision, which may differ from the session's current one.
    var definition = past?.definition ?? session.definition
    if revision == 0, let beginning = try source.history.beginning(of: id),
      let first = try source.history.past(of: id, at: beginning.revision)
    {
      (revision, state, definition) = (first.revision, first.state, first.definition)
      let record = SessionRecord(
        identity, definition: definition, updatedAt: first.time, state: state, hash: first.hash, beginning: revision)
      var write = SessionWrite(record, after: 0, entries: [])
      write.beginning = first
      if revision == session.state.revision { try complete(&write, session) }
      batch.append(write)
      // A batch has at most one write per session.
      if revision < session.state.revision { try commit() }
    }
    while revision < session.state.revision {
      guard isWanted() else { throw Interrupted() }
      let page = try source.history.entries(of: id, after: revision, limit: Self.page)
      guard let last = page.last else { throw JournalError.unreadable("session \(id): entry \(revision + 1) is missing from the journal") }
      do {
        for entry in page { try StateFormat.apply(entry.difference, to: &state) }
      } catch {
        throw JournalError.unreadable("session \(id): \(error.reason)")
      }
      let isComplete = last.entry.revision == session.state.revision
      definition = page.last { $0.definition != nil }?.definition ?? definition
      var write = SessionWrite(
        SessionRecord(
          identity, definition: definition, updatedAt: isComplete ? session.updatedAt : last.entry.stamp.time, state: state,
          hash: last.hash),
        after: revision, entries: page)
      if isComplete {
        guard state == session.state else {
          throw JournalError.unreadable("session \(id): its state differs from the state that its entries produce")
        }
        try complete(&write, session)
      }
      revision = last.entry.revision
      entries += page.count
      weight += page.reduce(0) { $0 + $1.cause.count + $1.difference.count }
      // A batch has at most one write per session.
      if !isComplete { try commit() }
      batch.append(write)
      if !isComplete || weight >= Self.size { try commit() }
    }
    sessions += 1
  }

  /// Adds the secrets, the stored responses and the effects of a session's newest state to its last write.
  private func complete(_ write: inout SessionWrite, _ session: SessionRecord) throws {
    write.secrets = try secrets(of: session)
    write.answers = try answers(of: session.id)
    write.begun = session.state.upcoming.map(\.id)
  }

  private func secrets(of session: SessionRecord) throws(JournalError) -> [SecretSlot: SecretChange] {
    var found: [SecretSlot: SecretChange] = [:]
    for slot in session.state.secretSlots {
      if let secret = try source.sessions.secret(slot, of: session.id) { found[slot] = .keep(secret) }
    }
    return found
  }

  /// The stored responses of a session, in the order of their expiry.
  private func answers(of id: String) throws(JournalError) -> [KeyedAnswer] {
    var found: [KeyedAnswer] = []
    if let creation = try source.answers.answer(.creation, of: id) { found.append(KeyedAnswer(.creation, creation)) }
    for key in try source.answers.keys(of: id) {
      if let answer = try source.answers.answer(.request(key), of: id) { found.append(KeyedAnswer(.request(key), answer)) }
    }
    return found.sorted { $0.answer.until < $1.answer.until }
  }

  private mutating func commit() throws {
    guard !batch.isEmpty else { return }
    let faults = try target.writer.commit(JournalBatch(sessions: batch))
    if let (_, fault) = faults.min(by: { $0.key < $1.key }) { throw fault }
    batch.removeAll(keepingCapacity: true)
    weight = 0
  }
}
