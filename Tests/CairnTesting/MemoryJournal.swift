import CairnCore
package import CairnJournal
import CairnRuntime

/// A journal in memory. A test can hold its commits, make them fail, and inspect the written data.
package final class MemoryJournal: Journal {
  struct Contents {
    var definitions: [String: String] = [:]
    var order: [String] = []
    /// The number of each session in the order of creation, by its id, including deleted sessions.
    var numbers: [String: Int] = [:]
    var births = 0
    var records: [String: SessionRecord] = [:]
    var entries: [String: [JournalEntry]] = [:]
    /// The entries of sessions that do not exist yet, by their places.
    var staged: [Int: [JournalEntry]] = [:]
    /// The number of entries in each commit that has staged entries.
    var slices: [Int] = []
    var whenStaged: (@Sendable (Int) -> Void)?
    var beginnings: [String: PastState] = [:]
    var secrets: [String: [SecretSlot: String]] = [:]
    /// The stored responses of each session, oldest first.
    var answers: [String: [KeyedAnswer]] = [:]
    var creations: [String: KeptAnswer] = [:]
    /// The stored documents, sorted by kind, app and name.
    var documents: [StoredDocument] = []
    /// Counts the failovers.
    var server = 1
    var batches: [JournalBatch] = []
    var reads: [Int] = []
    var sessionReads = 0
    var secretReads = 0
    var answerReads = (one: 0, all: 0)
    var claims = 0
    var fault: JournalError?
    var taskFaults: [BackgroundTask: JournalError] = [:]
    var failingUses = 0
    /// Whether reads of definitions and rollouts fail.
    var isUnreadable = false
    var isHeld = false
    /// The number of commits that may pass while commits are held.
    var passes = 0
    var held = 0
    var isClosed = false
    var whenRead: (@Sendable (String) -> Void)?
  }

  let contents = Monitor(Contents())

  package let isShared: Bool
  package let derivationKey = [UInt8](repeating: 9, count: 32)

  /// If `isShared` is set, the journal behaves as if other nodes wrote to it too.
  package init(isShared: Bool = false) { self.isShared = isShared }

  /// The committed batches, in order.
  package var batches: [JournalBatch] { contents.withLock { $0.batches } }

  /// The revisions after which entries were read, in order of the reads.
  package var reads: [Int] { contents.withLock { $0.reads } }

  /// The number of reads of a session's state.
  package var sessionReads: Int { contents.withLock { $0.sessionReads } }

  /// The number of reads of the hash of a session's secret.
  package var secretReads: Int { contents.withLock { $0.secretReads } }

  /// The number of reads of a response by its key, and of all keys of a session.
  package var answerReads: (one: Int, all: Int) { contents.withLock { $0.answerReads } }

  /// The number of times effects were claimed.
  package var claims: Int { contents.withLock { $0.claims } }

  /// Calls `note` before entries of a session are read, on the reading thread. `nil` removes the callback.
  package func whenRead(_ note: (@Sendable (String) -> Void)?) { contents.withLock { $0.whenRead = note } }

  /// Clears the recorded reads.
  package func forgetReads() { contents.withLock { $0.reads = [] } }

  /// Makes the next `count` calls of `uses` fail.
  package func failUses(_ count: Int) { contents.withLock { $0.failingUses = count } }

  /// Makes commits and probes fail. `nil` makes them succeed again.
  package func fail(with fault: JournalError?) { contents.withLock { $0.fault = fault } }

  /// Makes the next commits block until `release`.
  package func hold() { contents.withLock { $0.isHeld = true } }

  /// Blocks until a commit is held.
  package func waitUntilHeld() throws {
    try contents.wait(for: "a commit that is held") { $0.held > 0 ? () : nil }
  }

  /// Releases the held commits, and stops holding commits.
  package func release() { contents.change { $0.isHeld = false } }

  /// Releases the held commit, and holds the next one.
  package func releaseOne() { contents.change { $0.passes += 1 } }

  /// Opens the journal again after `close`, as a restart would.
  package func reopen() { contents.withLock { $0.isClosed = false } }

  @discardableResult package func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] {
    contents.change { $0.held += 1 }
    let result: Result<[String: JournalError], JournalError>? = contents.wait { contents in
      guard !contents.isHeld || contents.passes > 0 else { return nil }
      if contents.isHeld { contents.passes -= 1 }
      contents.held -= 1
      return Result { () throws(JournalError) in try Self.commit(batch, to: &contents) }
    }
    return try result?.get() ?? [:]
  }

  private static func commit(_ whole: JournalBatch, to contents: inout Contents) throws(JournalError) -> [String: JournalError] {
    if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
    var batch = whole
    var conflicts = Set((whole.checks?.versions ?? [:]).filter { contents.records[$0.key]?.version ?? .none != $0.value }.keys)
    for write in whole.sessions {
      let id = write.record.id
      let isTaken = whole.checks.map { checks in
        write.answers.contains { answer in Self.answer(answer.key, of: id, in: contents).map { $0.until > checks.time } ?? false }
      }
      if (contents.records[id]?.state.revision ?? 0) != write.after || isTaken ?? false { conflicts.insert(id) }
    }
    batch.sessions.removeAll { conflicts.contains($0.record.id) }
    batch.deletions.removeAll { conflicts.contains($0) }
    contents.batches.append(batch)
    contents.definitions.merge(batch.definitions) { old, _ in old }
    for write in batch.sessions {
      let id = write.record.id
      if write.after == 0 {
        contents.order.append(id)
        contents.numbers[id] = contents.births
        contents.births += 1
      }
      contents.records[id] = write.record
      if let place = write.staged, let entries = contents.staged.removeValue(forKey: place) { contents.entries[id] = entries }
      contents.entries[id, default: []] += write.entries
      for keyed in write.answers {
        if keyed.key == .creation {
          contents.creations[id] = keyed.answer
        } else {
          contents.answers[id, default: []].removeAll { $0.key == keyed.key }
          contents.answers[id, default: []].append(keyed)
          if contents.answers[id, default: []].count > KeptAnswer.limit { contents.answers[id]?.removeFirst() }
        }
      }
      for (slot, change) in write.secrets {
        if case .keep(let text) = change {
          contents.secrets[id, default: [:]][slot] = text
        } else {
          contents.secrets[id]?[slot] = nil
        }
      }
    }
    for write in batch.sessions {
      let id = write.record.id
      guard let past = write.beginning, past.revision > contents.beginnings[id]?.revision ?? 0 else { continue }
      contents.beginnings[id] = past
      contents.entries[id, default: []].removeAll { $0.entry.revision <= past.revision }
      contents.creations[id] = contents.creations[id]?.forgotten(through: past.revision)
      contents.answers[id] = contents.answers[id]?.map { KeyedAnswer($0.key, $0.answer.forgotten(through: past.revision)) }
    }
    for write in batch.sessions {
      let id = write.record.id
      contents.records[id] = contents.records[id]?.beginning(at: contents.beginnings[id]?.revision ?? 0)
    }
    for id in batch.deletions {
      contents.beginnings[id] = nil
      contents.order.removeAll { $0 == id }
      contents.records[id] = nil
      contents.entries[id] = nil
      contents.secrets[id] = nil
      contents.answers[id] = nil
      contents.creations[id]?.content = .none
    }
    return Dictionary(uniqueKeysWithValues: conflicts.map { ($0, .conflict(session: $0)) })
  }

  /// The number of entries in each commit that has staged entries, in order.
  package var slices: [Int] { contents.withLock { $0.slices } }

  /// The number of places at which entries are staged.
  package var stagedPlaces: Int { contents.withLock { $0.staged.count } }

  /// Calls `note` with the number of commits that have staged entries after each one, on the writer's thread. `nil` removes the callback.
  package func whenStaged(_ note: (@Sendable (Int) -> Void)?) { contents.withLock { $0.whenStaged = note } }

  package func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int {
    let (place, count, note) = try contents.withLock { contents throws(JournalError) in
      if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
      let place = place ?? (contents.staged.keys.max() ?? 0) + 1
      contents.definitions.merge(entries.definitions) { old, _ in old }
      contents.staged[place, default: []] += entries.entries
      contents.slices.append(entries.entries.count)
      return (place, contents.slices.count, contents.whenStaged)
    }
    note?(count)
    return place
  }

  package func unstage(_ place: Int) throws(JournalError) { contents.withLock { $0.staged[place] = nil } }

  package func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    contents.withLock { $0.secretReads += 1 }
    let hash = try read { $0.records[id]?.secretHash }
    return opens(hash) ? try session(id) : nil
  }

  package func session(_ id: String) throws(JournalError) -> SessionRecord? {
    let record = try read { $0.records[id] }
    if record != nil { contents.withLock { $0.sessionReads += 1 } }
    return record
  }

  package func version(of id: String) throws(JournalError) -> SessionVersion? { try read { $0.records[id]?.version } }

  package func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] {
    var changed: [Int: SessionRecord?] = [:]
    for (index, record) in known.enumerated() where try version(of: record.id) != record.version {
      changed[index] = .some(try session(record.id))
    }
    return changed
  }

  package func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    // The lock is held to the end, because the thread sanitizer does not detect that the array was released before the next write.
    try read { contents throws(JournalError) -> PastState? in
      guard let entries = contents.entries[id] else { return nil }
      let first = contents.beginnings[id]
      if let first, revision < first.revision { throw .forgotten(first: first.revision) }
      var state = first?.state ?? StateFormat.empty
      var time = first?.time ?? 0
      var hash = first?.hash ?? 0
      var definition = first?.definition ?? ""
      do throws(UnreadableFormat) {
        for entry in entries where entry.entry.revision <= revision {
          try StateFormat.apply(entry.difference, to: &state)
          time = entry.entry.stamp.time
          hash = entry.hash
          definition = entry.definition ?? definition
        }
      } catch {
        throw .unreadable(error.reason)
      }
      return PastState(state, definition: definition, time: time, hash: hash)
    }
  }

  package func beginning(of id: String) throws(JournalError) -> JournalBeginning? {
    let key = hashKey
    return try read { contents in
      guard let first = contents.beginnings[id], let record = contents.records[id] else { return nil }
      return JournalBeginning(first.revision, identity: record.identity.hash(key))
    }
  }

  package func definitions() throws(JournalError) -> [String] { try read { $0.definitions.keys.sorted() } }

  package func page(_ query: SessionQuery) throws(JournalError) -> SessionPage? {
    try read { contents in
      var ids = contents.order[...]
      if let after = query.after {
        let place = after.hasPrefix("#") ? Int(after.dropFirst()) : ids.contains(after) ? contents.numbers[after] : nil
        guard let place else { return nil }
        ids = ids.drop { contents.numbers[$0, default: 0] <= place }
      }
      let found = ids.filter { contents.records[$0].map { Self.isMeant($0, query) } ?? false }
      let next = found.count > query.limit ? contents.numbers[found[query.limit - 1]].map { "#\($0)" } : nil
      return SessionPage(ids: Array(found.prefix(query.limit)), next: next)
    }
  }

  private static func isMeant(_ record: SessionRecord, _ query: SessionQuery) -> Bool {
    let change = record.state.manualTime == nil ? record.updatedAt : record.createdAt
    return query.app.map { $0 == record.app } ?? true && query.label.map { $0 == record.label } ?? true
      && query.definition.map { $0 == record.definition } ?? true && query.createdAfter.map { record.createdAt >= $0 } ?? true
      && query.createdBefore.map { record.createdAt < $0 } ?? true && query.idleSince.map { change < $0 } ?? true
  }

  /// Makes calls of background tasks fail: the claim of a task, the list of sessions for `sampling`, the rollouts for `rollout`, and the changes for `changes`.
  /// `nil` makes them succeed again.
  package func fail(_ task: BackgroundTask, with fault: JournalError?) { contents.withLock { $0.taskFaults[task] = fault } }

  /// Throws the fault that a test has set for a task.
  func checkFault(of task: BackgroundTask) throws(JournalError) {
    if let fault = contents.withLock({ $0.taskFaults[task] }) { throw fault }
  }

  package func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool {
    if task != .sampling { try checkFault(of: task) }
    return true
  }

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    try checkFault(of: .sampling)
    return []
  }

  package func claimEffects(until time: Int) throws(JournalError) -> [DueSession] {
    contents.withLock { $0.claims += 1 }
    return try read { contents in
      contents.order.compactMap { id in contents.records[id]?.state.wakeTime.map { DueSession(id: id, due: $0) } }
    }
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    let note = contents.withLock { contents in
      contents.reads.append(revision)
      return contents.whenRead
    }
    note?(session)
    return try read { contents throws(JournalError) in
      if let first = contents.beginnings[session]?.revision, revision < first { throw .forgotten(first: first) }
      return Array((contents.entries[session] ?? []).filter { $0.entry.revision > revision }.prefix(limit))
    }
  }

  package func definition(_ hash: String) throws(JournalError) -> String? {
    try read { contents throws(JournalError) in
      if contents.isUnreadable { throw .busy }
      return contents.definitions[hash]
    }
  }

  package func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    try read { $0.secrets[session]?[slot] }
  }

  package func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    contents.withLock { $0.answerReads.one += 1 }
    return try read { Self.answer(key, of: session, in: $0) }
  }

  private static func answer(_ key: AnswerKey, of session: String, in contents: Contents) -> KeptAnswer? {
    key == .creation ? contents.creations[session] : contents.answers[session]?.first { $0.key == key }?.answer
  }

  package func keys(of session: String) throws(JournalError) -> [Fingerprint] {
    contents.withLock { $0.answerReads.all += 1 }
    return try read { contents in
      (contents.answers[session] ?? []).compactMap { if case .request(let key) = $0.key { key } else { nil } }
    }
  }

  package func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? {
    try contents.withLock { contents throws(JournalError) in
      if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
      contents.creations = contents.creations.filter { $0.value.until > time }
      contents.answers = contents.answers.mapValues { $0.filter { $0.answer.until > time } }
      return (contents.creations.values.map(\.until) + contents.answers.values.flatMap { $0.map(\.answer.until) }).min()
    }
  }

  package func documents(_ query: DocumentQuery) throws(JournalError) -> [StoredDocument] {
    try read { contents throws(JournalError) in
      if query.kind == .rollout, let fault = contents.isUnreadable ? .busy : contents.taskFaults[.rollout] { throw fault }
      return contents.documents.filter {
        $0.kind == query.kind ?? $0.kind && $0.app == query.app ?? $0.app && $0.name == query.name ?? $0.name
      }
    }
  }

  package func store(_ changes: [DocumentChange], texts: [String: String]) throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
      var documents = contents.documents
      for change in changes {
        let index = documents.firstIndex { $0.kind == change.kind && $0.app == change.app && $0.name == change.name }
        guard index.map({ documents[$0].version }) ?? 0 == change.known else { throw .outdated(app: change.app) }
        if let index { documents.remove(at: index) }
        if let body = change.body { documents.append(StoredDocument(change, body: body)) }
      }
      contents.documents = documents.sorted {
        ($0.kind?.rawValue ?? "", $0.app, $0.name) < ($1.kind?.rawValue ?? "", $1.app, $1.name)
      }
      contents.definitions.merge(texts) { old, _ in old }
    }
  }

  package func uses(of app: String) throws(JournalError) -> [DefinitionUse] {
    let fails = contents.withLock { contents in
      contents.failingUses -= 1
      return contents.failingUses >= 0
    }
    if fails { throw .busy }
    return try read { contents in
      let records = contents.records.values.filter { $0.app == app }
      return Dictionary(grouping: records, by: \.definition).sorted { $0.key < $1.key }.map { hash, sessions in
        DefinitionUse(definition: hash, sessions: sessions.count, oldest: sessions.map(\.createdAt).min() ?? 0)
      }
    }
  }

  package func count() throws(JournalError) -> Int {
    try read { $0.records.count }
  }

  package func probe() throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
    }
  }

  package func close() { contents.withLock { $0.isClosed = true } }

  func read<Result>(_ body: (Contents) throws(JournalError) -> Result) throws(JournalError) -> Result {
    try contents.withLock { contents throws(JournalError) in
      if contents.isClosed { throw .closed }
      return try body(contents)
    }
  }
}

// The journal itself is each of its parts, with one connection for all threads.
extension MemoryJournal: JournalWriter, SessionJournal, EntryJournal, DocumentJournal, ClusterJournal {
  package var writer: any JournalWriter { self }
  package var sessions: any SessionJournal { self }
  package var history: any EntryJournal { self }
  package var answers: any AnswerJournal { self }
  package var documents: any DocumentJournal { self }
  package var cluster: any ClusterJournal { self }
}
