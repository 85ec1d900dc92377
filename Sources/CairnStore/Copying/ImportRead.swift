import CairnCore
import CairnJournal
import CairnRuntime

/// Reads a session's file, some entries per step. Every entry is replayed, and the file's states must equal the states that the entries produce. Stores
/// nothing.
struct ImportRead: SteppedRead {
  /// The parameters of an import.
  struct Parameters: Sendable {
    var bytes: [UInt8]
    var crypto: SessionFile.Crypto
    /// The id of the new session, and the hash of its secret.
    var id: String
    var secretHash: [UInt8]
    /// The new label; `nil` means the label in the file.
    var label: String?
    var origin: EntryOrigin
    var importChecks: ImportChecks
  }

  private enum Phase {
    case begin
    case lines(Progress)
  }

  /// The progress of the read.
  private struct Progress {
    var lines: SessionFileLines
    let head: SessionFileLine.Head
    let identity: SessionIdentity
    /// The definitions in the file, by hash. The replay uses them too.
    let definitions = Lock<[String: PinnedDefinition]>([:])
    var replay: Replay?
    var used: [PinnedDefinition] = []
    /// The first state, if entries before it were forgotten; otherwise `nil`.
    var beginning: PastState?
    var entries: [JournalEntry] = []
    var size = 0
    var stages: [SessionRecord] = []
    var boxes: [SecretSlot: [UInt8]] = [:]
    /// Whether the newest state has been read.
    var isWhole = false

    /// The newest revision read so far, and its time; both are 0 before the first revision.
    var revision: Int { entries.last?.entry.revision ?? beginning?.revision ?? 0 }
    var time: Int { entries.last?.entry.stamp.time ?? beginning?.time ?? 0 }

    /// The hash of the last entry so far, which the hash of the next entry covers.
    func hash(_ key: SipHash.Key) -> UInt64 { entries.last?.hash ?? beginning?.hash ?? identity.hash(key) }

    /// Finds a definition of the file by its hash, for the replay. Throws if the file does not contain the definition.
    var reducers: Replay.Reducers {
      { [definitions] (hash) throws(JournalError) in
        guard let definition = definitions.withLock({ $0[hash] }) else { throw .unreadable("the definition \(hash) is not in the file") }
        return definition.reducer
      }
    }
  }

  /// The number of lines per step, and of entries between two snapshots.
  private static let stride = 256

  private let parameters: Parameters
  private var phase = Phase.begin

  init(_ parameters: Parameters) { self.parameters = parameters }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> ImportedSession? {
    do throws(SessionFileLines.Fault) {
      switch phase {
      case .begin:
        phase = .lines(try begin())
        return nil
      case .lines(var progress):
        // This releases the reference of `phase` to the arrays, so that they can be changed without a copy.
        phase = .begin
        for _ in 0..<Self.stride where !progress.lines.isAtEnd { try take(&progress, parts) }
        guard progress.lines.isAtEnd else {
          phase = .lines(progress)
          return nil
        }
        return try end(progress, parts)
      }
    } catch {
      throw .notImported(error.reason)
    }
  }

  private func begin() throws(SessionFileLines.Fault) -> Progress {
    var lines = try SessionFileLines(parameters.bytes, parameters.crypto)
    guard lines.format == SessionFile.version else {
      let remedy = lines.format > SessionFile.version ? "a newer version" : "the version that exported it"
      throw .init("its format is \(lines.format), but this version reads only \(SessionFile.version); import it with \(remedy)")
    }
    let head = try lines.take { (line) throws(UnreadableFormat) in try SessionFileLine.Head(reading: line) }
    if parameters.label == nil, let label = head.label, let fault = parameters.importChecks.line(label) {
      throw .init("its label \(fault); set another label (?label=…)")
    }
    if let fault = parameters.importChecks.session(head.session) { throw .init("the id of its session \(fault)") }
    let identity = SessionIdentity(
      id: parameters.id, app: head.app, label: parameters.label ?? head.label, createdAt: head.createdAt,
      secretHash: parameters.secretHash)
    return Progress(lines: lines, head: head, identity: identity)
  }

  private func take(_ progress: inout Progress, _ parts: StoreParts) throws(SessionFileLines.Fault) {
    guard !progress.isWhole else {
      throw .init("line \(progress.lines.count + 1) is not allowed: the newest state must be the last record of the file")
    }
    switch try progress.lines.take({ (line) throws(UnreadableFormat) in try SessionFileLine(reading: line) }) {
    case .definition(let hash):
      let text = String(decoding: try progress.lines.take(), as: UTF8.self)
      let definition = try Self.readable { () throws(JournalError) in try parts.library.definition(hash, text: text) }
      guard definition.definition.app == progress.identity.app else {
        let app = definition.definition.app.prefix(64)
        throw .init("line \(progress.lines.count): the definition is of the app \(app), but the session is of another app")
      }
      let isStored = try Self.readable { () throws(JournalError) in try parts.library.find(hash, in: parts.documents) != nil }
      if !isStored, let fault = parameters.importChecks.definition(definition) {
        throw .init("line \(progress.lines.count): the definition \(hash.prefix(64)) \(fault)")
      }
      progress.definitions.withLock { $0[hash] = definition }
    case .beginning(let revision, let time, let definition, let format):
      try begin(at: revision, time, definition, format, in: &progress, parts)
    case .entry(let revision, let stamp, let engine, let format, let definition, let request):
      guard revision == progress.revision + 1 else { throw .init("entry \(progress.revision + 1) is missing") }
      guard engine <= Reducer.engine, format <= CauseFormat.version else {
        throw .init("entry \(revision) was written by a newer version; import the file with that version")
      }
      let (stored, difference) = (try progress.lines.take(), try progress.lines.take())
      let entry = try Self.readable(revision) { () throws(UnreadableFormat) in
        try CauseFormat.read(stored, version: format).entry(revision: revision, time: stamp.time, nonce: stamp.nonce, request: request)
      }
      if let fault = parameters.importChecks.fault(of: entry) { throw .init("entry \(revision): \(fault)") }
      try add(
        JournalEntry(
          entry, engine: engine, format: format, cause: stored, difference: difference, definition: definition,
          label: revision == 1 ? progress.identity.label : nil), to: &progress, parts)
    case .secret(let slot, let box): progress.boxes[slot] = box
    case .state(let revision, let format):
      let bytes = try progress.lines.take()
      let state = try Self.readable(revision) { () throws(UnreadableFormat) in try StateFormat.state(bytes, version: format) }
      guard state == progress.replay?.state, revision == progress.head.last else {
        throw .init("its newest state differs from the state that its entries produce")
      }
      progress.isWhole = true
    }
  }

  /// Reads the first state of a history whose earlier entries were forgotten. No entry of the file produces this state.
  private func begin(
    at revision: Int, _ time: Int, _ hash: String, _ format: Int, in progress: inout Progress, _ parts: StoreParts
  ) throws(SessionFileLines.Fault) {
    let bytes = try progress.lines.take()
    guard progress.revision == 0, revision > 0 else {
      throw .init("line \(progress.lines.count): a first state is allowed only once, before all entries")
    }
    guard let definition = progress.definitions.withLock({ $0[hash] }) else {
      throw .init("its first state has the definition \(hash.prefix(64)), which is not in the file")
    }
    let state = try Self.readable(revision) { () throws(UnreadableFormat) in try StateFormat.state(bytes, version: format) }
    guard state.revision == revision else { throw .init("its first state is not the state of revision \(revision)") }
    if let fault = ImportChecks.fault(of: state, definition) { throw .init("its first state is inconsistent: \(fault)") }
    progress.beginning = PastState(state, definition: hash, time: time, hash: progress.identity.hash(parts.hashKey))
    progress.used.append(definition)
    progress.size += bytes.count
    progress.replay = Replay(definition.reducer, from: state, reducers: progress.reducers)
  }

  /// Replays an entry, and adds it with the hash that it has in this journal.
  private func add(_ entry: JournalEntry, to progress: inout Progress, _ parts: StoreParts) throws(SessionFileLines.Fault) {
    let revision = entry.entry.revision
    if let hash = entry.definition {
      guard let definition = progress.definitions.withLock({ $0[hash] }) else {
        throw .init("entry \(revision) has the definition \(hash.prefix(64)), which is not in the file")
      }
      progress.used.append(definition)
    }
    guard let definition = progress.used.last else { throw .init("entry \(revision) has no definition") }
    if revision == 1, case .action = entry.entry.cause { throw .init("entry 1 must be the start of a session, not an action") }
    guard entry.entry.stamp.time >= progress.time else { throw .init("entry \(revision) has an earlier time than the entry before it") }
    var replay = progress.replay ?? Replay(definition.reducer, reducers: progress.reducers)
    progress.replay = nil
    try Self.readable { () throws(JournalError) in try replay.check(entry, ofAnyEngine: true) }
    progress.replay = replay
    guard let state = replay.state else { throw .init("the state after entry \(revision) cannot be computed") }
    if entry.entry.isReplacement, let fault = ImportChecks.fault(of: state, definition) {
      throw .init("the state after entry \(revision) is inconsistent: \(fault)")
    }
    progress.size += entry.cause.count + entry.difference.count
    guard progress.entries.count < parts.limits.entries, progress.size <= parts.limits.journal else {
      throw .init(
        "its history is too large: a session may have at most \(parts.limits.entries) entries and \(parts.limits.journal) bytes "
          + "(sessionEntries, sessionBytes)")
    }
    progress.entries.append(entry.copied(due: state.wakeTime, after: progress.hash(parts.hashKey), parts.hashKey))
    if revision % Self.stride == 0, revision < progress.head.last, let last = progress.entries.last {
      progress.stages.append(
        SessionRecord(progress.identity, definition: definition.hash, updatedAt: last.entry.stamp.time, state: state, hash: last.hash))
    }
  }

  private func end(_ progress: Progress, _ parts: StoreParts) throws(SessionFileLines.Fault) -> ImportedSession {
    guard progress.isWhole, let definition = progress.used.last, let state = progress.replay?.state else {
      throw .init("its newest state is missing")
    }
    if let fault = state.faults.first { throw .init("its newest state is inconsistent: \(fault)") }
    var session = Session(
      progress.identity, definition: definition, updatedAt: progress.time, state: state, hash: progress.hash(parts.hashKey),
      beginning: progress.beginning?.revision ?? 0)
    let now = parts.clock.now()
    if let end = session.expiresAt(parts.limits.sessionTTL), end <= now {
      throw .init("the session would expire immediately, because its last change is longer ago than its time to live (ttl, sessionTtl)")
    }
    var entries = progress.entries
    let secrets = try secrets(of: state, progress)
    let isLacking = state.secretSlots.contains { !$0.mayBeGone && secrets[$0] == nil }
    if isLacking || (state.hasMessages && !state.manualRequests) {
      let changed = isLacking ? definition.reducer.withoutSecrets(state) : state
      let entry = imported(session, as: state.manualRequests ? changed : changed.holdingMessages, progress.head, now: now, parts)
      entries.append(entry.0)
      session = entry.1
    }
    return ImportedSession(
      session, entries, beginning: progress.beginning, stages: progress.stages, secrets: isLacking ? [:] : secrets,
      definitions: progress.used)
  }

  /// The secrets that belong to the state. Throws if the key cannot decrypt one of them. Without a key the result is empty.
  private func secrets(of state: State, _ progress: Progress) throws(SessionFileLines.Fault) -> [SecretSlot: String] {
    guard let open = parameters.crypto.open else { return [:] }
    var secrets: [SecretSlot: String] = [:]
    for slot in state.secretSlots {
      guard let box = progress.boxes[slot] else { continue }
      guard let text = open(box, slot.purpose(of: progress.head.file)) else {
        throw .init("its secrets were encrypted with another key; give that key, or no key to import the session without secrets")
      }
      // Without a usable token the session is imported logged out.
      if slot == .token, !SessionToken(text: text).isUsable { continue }
      secrets[slot] = text
    }
    return secrets
  }

  /// Returns an additional entry, and the session after it. The entry removes the access token and the login if the secrets are unknown, and holds the
  /// messages unless requests are manual.
  private func imported(
    _ session: Session, as state: State, _ head: SessionFileLine.Head, now: Int, _ parts: StoreParts
  ) -> (JournalEntry, Session) {
    var state = state
    state.revision += 1
    let stamp = Stamp(time: state.manualTime ?? max(now, session.updatedAt), nonce: parts.nonce())
    var entry = Entry(revision: state.revision, stamp: stamp, cause: .replacement(.imported(session: head.session)))
    (entry.author, entry.request) = (parameters.origin.author, parameters.origin.request)
    let stored = JournalEntry(entry, from: session.state, to: state, seal: (session.hash, parts.hashKey))
    let difference = stored.difference.count
    return (stored, session.at(state, updatedAt: stamp.time, hash: stored.hash, difference: difference))
  }

  /// Runs `read`, and converts an error of the journal to a fault of the file, whose text names the entry or the definition.
  private static func readable<Result>(_ read: () throws(JournalError) -> Result) throws(SessionFileLines.Fault) -> Result {
    do throws(JournalError) {
      return try read()
    } catch {
      if case .unreadable(let reason) = error { throw .init(reason) }
      throw .init("\(error)")
    }
  }

  private static func readable<Result>(
    _ revision: Int, _ read: () throws(UnreadableFormat) -> Result
  ) throws(SessionFileLines.Fault) -> Result {
    do throws(UnreadableFormat) {
      return try read()
    } catch {
      throw .init("revision \(revision): \(error.reason)")
    }
  }
}

extension JournalEntry {
  /// The same entry in another journal, with the hash that it has after an entry with the hash `previous`.
  fileprivate func copied(due: Int?, after previous: UInt64, _ key: SipHash.Key) -> JournalEntry {
    func copy(hash: UInt64) -> JournalEntry {
      JournalEntry(
        entry, engine: engine, format: format, cause: cause, difference: difference, due: due, definition: definition, label: label,
        hash: hash)
    }
    return copy(hash: copy(hash: 0).hash(after: previous, key))
  }
}
