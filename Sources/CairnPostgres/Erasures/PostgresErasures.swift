import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal

/// Repeats the listed deletions of sessions and of history that a restore of the database has undone.
final class PostgresErasures: Sendable {
  private let database: PostgresDatabase
  private let writer: PostgresWriter
  /// The list; `nil` if the journal is opened for a copy.
  private let list: SharedErasureList?
  private let log: @Sendable (StoreEvent) -> Void
  /// The number of times that the database was found to be in an older state, and the number of repeated erasures.
  private let counted = Lock((losses: 0, repeated: 0))
  /// The time of the newest commit of any node at the last processing of the list of erasures, in microseconds since 1970.
  private let lastChange = Lock(0)

  init(_ writer: PostgresWriter, _ list: SharedErasureList?, _ log: @escaping @Sendable (StoreEvent) -> Void) {
    database = writer.database
    self.writer = writer
    self.list = list
    self.log = log
  }

  /// The number of times that the database was found to be in an older state, and the number of repeated erasures. Can be read on any
  /// thread.
  var counts: (losses: Int, repeated: Int) { counted.withLock { $0 } }

  /// The bytes that identify this journal in a list that several journals share.
  static func listName(_ hashKey: [UInt8]) -> [UInt8] { TextDigest.bytes(of: "erasures \(hashKey)") }

  /// Repeats the listed erasures that the journal lacks, and stores a new mark if the journal has changed. Returns the repeated erasures. Must not be called
  /// on the writer's thread.
  @discardableResult func repeatErasures() throws(JournalError) -> RepeatedErasures {
    var found = RepeatedErasures()
    guard let erasures = list else { return found }
    let known = try listed { () throws(PostgresError) in try erasures.mark() }
    let (mark, change) = try ownMark()
    found.isOlder = known.map { !$0.mark.isReached(by: mark) } ?? false
    var listedUpTo = found.isOlder ? 0 : known?.listed ?? 0
    /// Whether all rows so far are complete, and so old that no lower number can appear.
    var isComplete = true
    var place = listedUpTo
    while true {
      let rows = try listed { [place] () throws(PostgresError) in try erasures.rows(after: place) }
      guard let last = rows.last else { break }
      place = last.number
      try settle(rows, erasures, &found)
      for row in rows where isComplete {
        isComplete = row.isOld || found.isOlder
        if isComplete { listedUpTo = row.number }
      }
      if rows.count < SharedErasureList.page { break }
    }
    if found.isOlder || known?.listed != listedUpTo || known == nil || lastChange.withLock({ $0 }) != change {
      try keepMark(behind: [mark, known?.mark].compactMap { $0 }.max { $0.number < $1.number }, replacing: mark, listed: listedUpTo)
      lastChange.withLock { $0 = change }
    }
    note(found)
    return found
  }

  /// The erasures that `repeatErasures` would repeat. This function changes nothing.
  func outstandingErasures() throws(JournalError) -> RepeatedErasures {
    var found = RepeatedErasures()
    guard let erasures = list, try listed({ () throws(PostgresError) in try erasures.exists() }) else { return found }
    let known = try listed { () throws(PostgresError) in try erasures.mark() }
    let (mark, _) = try ownMark()
    found.isOlder = known.map { !$0.mark.isReached(by: mark) } ?? false
    var place = found.isOlder ? 0 : known?.listed ?? 0
    while true {
      let rows = try listed { [place] () throws(PostgresError) in try erasures.rows(after: place) }
      guard let last = rows.last else { return found }
      place = last.number
      for row in try undone(rows.filter { $0.isCommitted || found.isOlder }) {
        if row.revision == nil { found.deleted += 1 } else { found.forgotten += 1 }
      }
    }
  }

  /// A listed erasure that the journal lacks.
  private struct Undone {
    var number: Int
    var id: String
    var revision: Int?
  }

  /// Repeats the erasures in `rows` that the journal lacks, and records whether the commits of old rows succeeded. Adds the repeated
  /// erasures to `found`.
  private func settle(
    _ rows: [SharedErasureList.Row], _ erasures: SharedErasureList, _ found: inout RepeatedErasures
  ) throws(JournalError) {
    let considered = rows.filter { $0.isCommitted || $0.isOld || found.isOlder }
    let committed = Set(rows.filter(\.isCommitted).map(\.number))
    let undone = try undone(considered)
    // The commits of some listed erasures may have failed; these erasures are not repeated. If the journal is in an older state, all
    // missing erasures are repeated, because their commits may have succeeded before.
    let repeated = undone.filter { found.isOlder || committed.contains($0.number) }
    let dropped = found.isOlder ? [] : undone.map(\.number).filter { !committed.contains($0) }
    let deleted = repeated.filter { $0.revision == nil }.map(\.id)
    for start in stride(from: 0, to: deleted.count, by: Self.slice) {
      let part = Array(deleted[start..<min(start + Self.slice, deleted.count)])
      let left = try writer.commitUnlisted(JournalBatch(deletions: part))
      found.deleted += part.count - left.count
    }
    // If a session has several rows, the highest revision applies.
    let histories = Dictionary(repeated.compactMap { row in row.revision.map { (row.id, $0) } }) { max($0, $1) }
    for (id, revision) in histories.sortedByKey {
      do throws(JournalError) {
        if try forgetAgain(id, before: revision) { found.forgotten += 1 }
      } catch {
        guard case .unreadable = error else { throw error }
        found.unreadable.append(id)
      }
    }
    let done = considered.filter { !$0.isCommitted }.map(\.number).filter { !dropped.contains($0) }
    try listed { () throws(PostgresError) in try erasures.settle(done: done, dropped: dropped) }
  }

  /// Returns the rows whose erasure the journal lacks.
  private func undone(_ rows: [SharedErasureList.Row]) throws(JournalError) -> [Undone] {
    guard !rows.isEmpty else { return [] }
    var parameters = Parameters()
    let numbers = parameters.add(rows.map { Optional($0.number) })
    let sessions = parameters.add(rows.map { Optional($0.erasure.session) })
    let ids = parameters.add(rows.map { Optional($0.erasure.id) })
    let revisions = parameters.add(rows.map(\.erasure.revision))
    let values = parameters
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT q.number, s.id, q.revision
        FROM unnest(\(numbers)::bigint[], \(sessions)::bigint[], \(ids)::bytea[], \(revisions)::bigint[]) AS q (number, session, id, revision)
        JOIN @sessions s ON s.number = q.session AND substr(sha256(convert_to(s.id, 'UTF8')), 1, \(Erasure.idSize)) = q.id
        LEFT JOIN @heads h ON h.session = s.number
        WHERE q.revision IS NULL OR h.beginning < least(q.revision, h.revision) ORDER BY q.number
        """, values, until: deadline)
    }.rows.map { Undone(number: $0.integer(0), id: $0.text(1), revision: $0.optionalInteger(2)) }
  }

  /// Forgets a session's history before a revision. If the session has not reached this revision, only its newest state is kept. Returns
  /// `false` if the session does not exist.
  private func forgetAgain(_ id: String, before revision: Int) throws(JournalError) -> Bool {
    for _ in 1...Self.forgettings {
      guard let record = try PostgresStates(database: database, lane: .reader).session(id) else { return false }
      guard let past = try PostgresHistory(database: database).past(of: id, at: min(revision, record.state.revision)) else { return false }
      var write = SessionWrite(record, after: record.state.revision, entries: [])
      write.beginning = past
      if try writer.commitUnlisted(JournalBatch(sessions: [write])).isEmpty { return true }
      // A request has changed the session in the meantime, so the erasure is attempted again.
    }
    throw .busy
  }

  private static let forgettings = 5
  /// The number of sessions that one commit deletes.
  private static let slice = 500

  // MARK: marks

  /// The journal's mark, and the time of the newest commit of any node in microseconds since 1970.
  private func ownMark() throws(JournalError) -> (mark: ErasureMark?, change: Int) {
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT (SELECT value FROM @settings WHERE name = 'mark'), coalesce((SELECT extract(epoch FROM max(at)) * 1e6 FROM @changes WHERE isfinite(at)), 0)::bigint
        """, until: deadline
      ).first
    }
    return (row.flatMap { ErasureMark($0.bytes(0)) }, row?.integer(1) ?? 0)
  }

  /// Stores the mark that follows `mark`, first in the journal and then beside the list, unless another node has just replaced `old`.
  private func keepMark(behind mark: ErasureMark?, replacing old: ErasureMark?, listed last: Int) throws(JournalError) {
    let next = ErasureMark.next(after: mark)
    var parameters = Parameters()
    let (value, before) = (parameters.add(next.value), parameters.add(old?.value ?? []))
    let values = parameters
    let kept = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO @settings AS s (name, value) VALUES ('mark', \(value)::bytea)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE s.value = \(before)::bytea RETURNING 1
        """, values, until: deadline)
    }
    guard let erasures = list, kept.count > 0 else { return }
    try listed { () throws(PostgresError) in try erasures.keep(next, listed: last) }
  }

  private func note(_ found: RepeatedErasures) {
    guard !found.isEmpty else { return }
    if found.isOlder {
      counted.withLock { $0.losses += 1 }
      log(.databaseOlder(reason: RepeatedErasures.olderReason))
    }
    if found.deleted + found.forgotten > 0 {
      counted.withLock { $0.repeated += found.deleted + found.forgotten }
      log(.erasuresRepeated(sessions: found.deleted, histories: found.forgotten))
    }
    for id in found.unreadable {
      log(
        .sessionUnreadable(
          session: id, reason: "its history was forgotten, a restore brought it back, and it cannot be read to forget it again"))
    }
  }

  private func listed<Result>(_ work: () throws(PostgresError) -> Result) throws(JournalError) -> Result {
    do throws(PostgresError) {
      return try work()
    } catch {
      throw .io("the list of erasures: \(error)")
    }
  }
}
