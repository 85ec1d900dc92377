import CairnCore
import CairnCrypto
import CairnJournal

/// The statement of one commit: it compares the versions of all sessions of a batch, writes the sessions whose version matches, and records
/// them in `changes`. Parts that a batch does not need are omitted. The text depends only on the kinds of its parts, so that prepared
/// statements are reused.
struct CommitStatement {
  var parameters = Parameters()
  /// The common table expressions.
  var parts: [String] = []
  private var results: [String: String] = [:]
  /// The time of the database in milliseconds since 1970, in SQL.
  static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
  /// The number of a new session, in SQL.
  static let nextNumber = "nextval(pg_get_serial_sequence('@sessions', 'number'))"
  var text: String {
    let columns = ["written", "numbers", "deleted", "moved"].map { results[$0] ?? "NULL::bigint[]" }
    return "\(parts.isEmpty ? "" : "WITH \(parts.joined(separator: ",\n")) ")SELECT \(columns.joined(separator: ", "))"
  }

  /// The columns of the result.
  enum Column {
    /// The indexes of the committed writes, and the numbers of their sessions in the same order.
    static let written: Int32 = 0
    static let numbers: Int32 = 1
    /// The numbers of the deleted sessions.
    static let deleted: Int32 = 2
    /// The indexes of the checks that failed.
    static let moved: Int32 = 3
  }

  /// The changes of one session in a batch, prepared for the statement.
  struct Write {
    var write: SessionWrite
    /// The session's number; `nil` for a new session.
    var number: Int?
    /// The version that the session must have; `nil` if only the revision is compared.
    var before: SessionVersion?
    /// The encrypted secrets; a box that is `nil` deletes the secret.
    var secrets: [(slot: Int, box: [UInt8]?)]
    var page: [UInt8]
    /// The encoded state if a snapshot is due; otherwise `nil`.
    var snapshot: [UInt8]?
    /// The pages before `page` and the states at their ends, if the write has many entries.
    var stages: [Stage] = []
    /// The new beginning of the session's history; `nil` if it does not change.
    var beginning: Beginning?
    /// The entries of a new session that are already stored; `nil` if no entries are staged.
    var staged: StagedSession?
  }

  /// A beginning of a session's history, prepared for the statement.
  struct Beginning {
    var past: PastState
    /// The hash of the session's unchanging part.
    var identity: UInt64
    var state: [UInt8]
    /// The size in bytes of the entries and snapshots of earlier commits that are forgotten; `nil` if all of them are forgotten.
    var forgotten: Int?
    /// The revision of the page that spans the beginning, and the new contents of this page: the kept entries. `nil` if no page spans the
    /// beginning.
    var tail: (revision: Int, body: [UInt8])?
  }

  /// A session to delete. `version` is `nil` if the version is not compared.
  struct Deletion {
    var id: String
    var number: Int
    var version: SessionVersion?
  }

  /// A session that the batch only read, and that must still have this version. `number` is `nil` if the session must not exist.
  struct Check {
    var id: String
    var number: Int?
    var version: SessionVersion
  }

  /// The unique name of a commit.
  struct Name {
    /// The run of a node, and the number of the commit within the run.
    var run: Int
    var number: Int
    /// The first run of the node's process. Effects that the node begins belong to this run.
    var node: Int
  }

  /// Creates the statement. `time` is the current time, which determines whether a stored response has expired. If `time` is `nil`, a
  /// response under a used key is replaced without a check.
  init(definitions: [String: String], writes: [Write], deletions: [Deletion], checks: [Check], time: Int?, name: Name) {
    if !definitions.isEmpty { add(definitions) }
    if !checks.isEmpty { add(checks) }
    guard !writes.isEmpty || !deletions.isEmpty else { return }
    if !writes.isEmpty {
      add(writes, time: time)
      addEffects(writes, node: name.node)
    }
    if !deletions.isEmpty { add(deletions) }
    addChange(of: writes, deletions, name)
  }

  private mutating func add(_ definitions: [String: String]) {
    let hashes = definitions.keys.sorted()
    parts.append(
      """
      new_definitions AS (INSERT INTO @definitions (hash, text)
        SELECT * FROM unnest(\(parameters.add(hashes))::text[], \(parameters.add(hashes.map { definitions[$0] }))::text[])
        ON CONFLICT DO NOTHING)
      """)
  }

  private mutating func add(_ checks: [Check]) {
    let indexes = parameters.add(checks.indices.map { Optional($0) })
    parts.append(
      """
      moved AS MATERIALIZED (SELECT q.i FROM unnest(\(indexes)::bigint[], \(parameters.add(checks.map(\.number)))::bigint[],
          \(parameters.add(checks.map { $0.number == nil ? $0.id : nil }))::text[],
          \(parameters.add(checks.map { Optional($0.version.revision) }))::bigint[],
          \(parameters.add(checks.map { Optional($0.version.hash.column) }))::bigint[],
          \(parameters.add(checks.map { Optional($0.version.beginning) }))::bigint[]) AS q (i, number, id, revision, hash, beginning)
        LEFT JOIN @heads h ON h.session = q.number
        WHERE CASE WHEN q.number IS NULL THEN EXISTS (SELECT FROM @sessions s WHERE s.id = q.id)
          ELSE (h.revision, h.hash, h.beginning) IS DISTINCT FROM (q.revision, q.hash, q.beginning) END)
      """)
    results["moved"] = "(SELECT array_agg(i) FROM moved)"
  }

  // MARK: writes

  private mutating func add(_ writes: [Write], time: Int?) {
    var done: [String] = []
    if let time { addTaken(writes, time) }
    let posts = writes.indices.filter { writes[$0].number != nil && !writes[$0].write.entries.isEmpty && writes[$0].beginning == nil }
    if !posts.isEmpty { done.append(addPosts(writes, posts, isChecked: time != nil)) }
    let begun = writes.indices.filter { writes[$0].number != nil && writes[$0].beginning != nil }
    if !begun.isEmpty { done.append(addBeginnings(writes, begun, time)) }
    let kept = writes.indices.filter { writes[$0].number != nil && writes[$0].write.entries.isEmpty && writes[$0].beginning == nil }
    if !kept.isEmpty { done.append(addKept(writes, kept, isChecked: time != nil)) }
    let creations = writes.indices.filter { writes[$0].number == nil }
    if !creations.isEmpty { done.append(addCreations(writes, creations, isChecked: time != nil)) }
    parts.append("done AS MATERIALIZED (\(done.joined(separator: " UNION ALL ")))")
    results["written"] = "(SELECT array_agg(i ORDER BY i) FROM done)"
    results["numbers"] = "(SELECT array_agg(number ORDER BY i) FROM done)"
    addPages(hasPosts: !posts.isEmpty, hasBeginnings: !begun.isEmpty, hasCreations: !creations.isEmpty)
    addStages(writes)
    addFirstStates(writes)
    addSecrets(writes)
    addAnswers(writes, time)
  }

  /// Adds the part `taken`: the indexes of the writes with a key under which an unexpired response exists.
  private mutating func addTaken(_ writes: [Write], _ time: Int) {
    let keys = writes.enumerated().flatMap { index, write in
      write.write.answers.map { (index, session: $0.key == .creation ? 0 : write.number, key: $0.key.column(of: write.write.record.id)) }
    }
    parts.append(
      """
      taken AS MATERIALIZED (SELECT DISTINCT k.i FROM unnest(\(parameters.add(keys.map { Optional($0.0) }))::bigint[],
          \(parameters.add(keys.map(\.session)))::bigint[], \(parameters.add(keys.map { Optional($0.key) }))::bytea[]) AS k (i, session, key)
        JOIN @answers a ON a.session = k.session AND a.key = k.key WHERE a.until > \(parameters.add(time))::bigint)
      """)
  }

  /// Adds the parts that replace the heads whose version matches. The rows are processed in the order of the sessions, so that all nodes lock them in the
  /// same order. Returns the query for the indexes of the committed writes and the numbers of their sessions.
  private mutating func addPosts(_ writes: [Write], _ indexes: [Int], isChecked: Bool) -> String {
    let sorted = indexes.sorted { writes[$0].number ?? 0 < writes[$1].number ?? 0 }
    func column(_ value: (Write) -> Int?) -> [Int?] { sorted.map { value(writes[$0]) } }
    // Few commits change the definition of a session. The statements of all other commits omit this column.
    let definitions = sorted.map { writes[$0].write.entries.last { $0.definition != nil }?.definition }
    let isMigration = definitions.contains { $0 != nil }
    let new = isMigration ? ", \(parameters.add(definitions))::text[]" : ""
    parts.append(
      """
      posts AS MATERIALIZED (SELECT * FROM unnest(\(parameters.add(sorted.map { Optional($0) }))::bigint[],
          \(parameters.add(column { $0.number }))::bigint[], \(parameters.add(column { $0.write.after }))::bigint[],
          \(parameters.add(column { $0.before?.hash.column }))::bigint[], \(parameters.add(column { $0.before?.beginning }))::bigint[],
          \(parameters.add(column { $0.write.record.state.revision }))::bigint[],
          \(parameters.add(column { $0.write.entries.last?.hash.column }))::bigint[],
          \(parameters.add(column { $0.write.record.updatedAt }))::bigint[], \(parameters.add(column { $0.write.entries.last?.due }))::bigint[],
          \(parameters.add(column { $0.write.entries.count }))::bigint[], \(parameters.add(column { $0.size }))::bigint[],
          \(parameters.add(sorted.map { Optional(writes[$0].page) }))::bytea[], \(parameters.add(sorted.map { writes[$0].snapshot }))::bytea[]\(new))
        AS q (i, number, after, before, first, revision, hash, updated_at, due, entries, bytes, body, state\(isMigration ? ", definition" : ""))),
      posted AS (UPDATE @heads h SET revision = q.revision, hash = q.hash, updated_at = q.updated_at, due = q.due,
          entries = CASE WHEN q.state IS NULL THEN h.entries + q.entries ELSE 0 END,
          bytes = CASE WHEN q.state IS NULL THEN h.bytes + q.bytes ELSE 0 END,
          snapshot = coalesce(length(q.state), h.snapshot), total = h.total + q.bytes + coalesce(length(q.state), 0)\
      \(isMigration ? ", definition = coalesce(q.definition, h.definition)" : "")
        FROM posts q WHERE h.session = q.number AND h.revision = q.after AND (q.before IS NULL OR (h.hash, h.beginning) = (q.before, q.first))\
      \(isChecked ? " AND q.i NOT IN (SELECT i FROM taken)" : "")
        RETURNING q.i, q.number, q.revision, q.body, q.state, h.definition)
      """)
    if indexes.contains(where: { writes[$0].snapshot != nil }) {
      parts.append(
        """
        new_snapshots AS (INSERT INTO @snapshots (session, revision, format, state, definition)
          SELECT number, revision, \(StateFormat.version), state, definition FROM posted WHERE state IS NOT NULL)
        """)
    }
    return "SELECT i, number FROM posted"
  }

  /// Adds the part for writes that only store responses, and returns a query like that of `addPosts`. Their sessions must be unchanged since they were read.
  /// If two nodes store a response under the same key, the table's key accepts only the first response.
  private mutating func addKept(_ writes: [Write], _ indexes: [Int], isChecked: Bool) -> String {
    func column(_ value: (Write) -> Int?) -> [Int?] { indexes.map { value(writes[$0]) } }
    parts.append(
      """
      kept AS MATERIALIZED (SELECT q.i, q.number FROM unnest(\(parameters.add(indexes.map { Optional($0) }))::bigint[],
          \(parameters.add(column { $0.number }))::bigint[], \(parameters.add(column { $0.write.after }))::bigint[],
          \(parameters.add(column { $0.before?.hash.column }))::bigint[], \(parameters.add(column { $0.before?.beginning }))::bigint[])
          AS q (i, number, after, before, first)
        JOIN @heads h ON h.session = q.number AND h.revision = q.after AND (q.before IS NULL OR (h.hash, h.beginning) = (q.before, q.first))\
      \(isChecked ? " WHERE q.i NOT IN (SELECT i FROM taken)" : ""))
      """)
    return "SELECT i, number FROM kept"
  }

  private mutating func addCreations(_ writes: [Write], _ indexes: [Int], isChecked: Bool) -> String {
    func numbers(_ value: (Write) -> Int?) -> String { parameters.add(indexes.map { value(writes[$0]) }) }
    func texts(_ value: (SessionRecord) -> String?) -> String { parameters.add(indexes.map { value(writes[$0].write.record) }) }
    let isStaged = indexes.contains { writes[$0].staged != nil }
    let places = isStaged ? ", \(numbers { $0.staged?.number })::bigint[]" : ""
    parts.append(
      """
      creations AS MATERIALIZED (SELECT * FROM unnest(\(parameters.add(indexes.map { Optional($0) }))::bigint[],
          \(texts { $0.id })::text[], \(texts { $0.app })::text[], \(texts { $0.definition })::text[], \(texts { $0.label })::text[],
          \(numbers { $0.write.record.createdAt })::bigint[], \(parameters.add(indexes.map { Optional(writes[$0].write.record.secretHash) }))::bytea[],
          \(numbers { $0.write.record.state.manualTime == nil ? 0 : 1 })::bigint[], \(numbers { $0.write.record.state.revision })::bigint[],
          \(numbers { $0.write.entries.last?.hash.column ?? $0.write.record.hash.column })::bigint[], \(numbers { $0.write.record.updatedAt })::bigint[],
          \(numbers { $0.write.entries.isEmpty ? $0.write.record.state.wakeTime : $0.write.entries.last?.due })::bigint[],
          \(numbers { $0.recent.count })::bigint[], \(numbers { $0.recent.size })::bigint[],
          \(numbers { $0.stages.last?.snapshot.count ?? $0.staged?.snapshot ?? $0.beginning?.state.count ?? $0.size })::bigint[], \(numbers { $0.total })::bigint[],
          \(parameters.add(indexes.map { Optional(writes[$0].page) }))::bytea[], \(numbers { $0.beginning?.past.revision ?? 0 })::bigint[]\(places))
        AS q (i, id, app, definition, label, created_at, secret_hash, manual, revision, hash, updated_at, due, entries, bytes, snapshot, total, body,
          beginning\(isStaged ? ", staged" : ""))),
      \(isStaged ? Self.takenStages(isChecked: isChecked) : Self.created(isChecked: isChecked)),
      new_heads AS (INSERT INTO @heads
          (session, revision, hash, updated_at, due, definition, label, created_at, entries, bytes, snapshot, total, beginning)
        SELECT b.number, q.revision, q.hash, q.updated_at, q.due, q.definition, q.label, q.created_at, q.entries, q.bytes, q.snapshot, q.total,
          q.beginning
        FROM created b JOIN creations q USING (id))
      """)
    return "SELECT q.i, b.number FROM created b JOIN creations q USING (id)"
  }

  private static func created(isChecked: Bool) -> String {
    """
    created AS (INSERT INTO @sessions (id, app, created_at, secret_hash, manual)
        SELECT id, app, created_at, secret_hash, manual = 1 FROM creations\(isChecked ? " WHERE i NOT IN (SELECT i FROM taken)" : "") ORDER BY i
        ON CONFLICT (id) DO NOTHING RETURNING number, id)
    """
  }

  /// Returns the parts that create sessions, of which some have staged entries. The tombstones of staged entries are deleted. A session with
  /// staged entries is not created if their tombstone is missing.
  private static func takenStages(isChecked: Bool) -> String {
    """
    free AS MATERIALIZED (SELECT i, staged FROM creations q WHERE\(isChecked ? " i NOT IN (SELECT i FROM taken) AND" : "")
        NOT EXISTS (SELECT FROM @sessions s WHERE s.id = q.id)),
      leases AS (DELETE FROM @tasks t USING free f WHERE t.name = '\(StagedSession.task)' || f.staged
        AND \(StagedSession.isKept(for: StagedSession.margin)) RETURNING f.staged),
      stones AS (DELETE FROM @tombstones x USING leases l WHERE x.session = l.staged RETURNING x.session),
      created AS (INSERT INTO @sessions (number, id, app, created_at, secret_hash, manual) OVERRIDING SYSTEM VALUE
        SELECT coalesce(staged, \(nextNumber)), id, app, created_at, secret_hash, manual = 1 FROM creations
        WHERE i IN (SELECT i FROM free) AND (staged IS NULL OR staged IN (SELECT session FROM stones)) ORDER BY i
        ON CONFLICT (id) DO NOTHING RETURNING number, id)
    """
  }

  private mutating func addPages(hasPosts: Bool, hasBeginnings: Bool, hasCreations: Bool) {
    var rows: [String] = []
    if hasBeginnings { rows.append("SELECT number, revision, body FROM moved_on WHERE length(body) > 0") }
    if hasPosts { rows.append("SELECT number, revision, body FROM posted") }
    if hasCreations {
      rows.append("SELECT b.number, q.revision, q.body FROM created b JOIN creations q USING (id) WHERE length(q.body) > 0")
    }
    guard !rows.isEmpty else { return }
    parts.append("new_pages AS (INSERT INTO @pages (session, revision, body) \(rows.joined(separator: " UNION ALL ")))")
  }

  private mutating func addSecrets(_ writes: [Write]) {
    let all = writes.enumerated().flatMap { index, write in write.secrets.map { (index: index, slot: $0.slot, box: $0.box) } }
    guard !all.isEmpty else { return }
    parts.append(
      """
      changed_secrets AS MATERIALIZED (SELECT d.number, q.slot, q.box FROM unnest(\(parameters.add(all.map { Optional($0.index) }))::bigint[],
          \(parameters.add(all.map { Optional($0.slot) }))::bigint[], \(parameters.add(all.map(\.box)))::bytea[]) AS q (i, slot, box)
        JOIN done d USING (i)),
      put_secrets AS (INSERT INTO @secrets (session, slot, box) SELECT number, slot, box FROM changed_secrets WHERE box IS NOT NULL
        ON CONFLICT (session, slot) DO UPDATE SET box = excluded.box),
      forgotten_secrets AS (DELETE FROM @secrets s USING changed_secrets q WHERE q.box IS NULL AND s.session = q.number AND s.slot = q.slot)
      """)
  }

  private mutating func addEffects(_ writes: [Write], node: Int) {
    func rows(_ numbers: (SessionWrite) -> [Int]) -> (indexes: String, numbers: String)? {
      let all = writes.enumerated().flatMap { index, write in numbers(write.write).map { (index, $0) } }
      guard !all.isEmpty else { return nil }
      return (parameters.add(all.map { Optional($0.0) }), parameters.add(all.map { Optional($0.1) }))
    }
    if let begun = rows(\.begun) {
      parts.append(
        """
        begun AS (INSERT INTO @effects (session, effect, run) SELECT d.number, q.effect, \(parameters.add(node))::bigint
          FROM unnest(\(begun.indexes)::bigint[], \(begun.numbers)::bigint[]) AS q (i, effect) JOIN done d USING (i))
        """)
    }
    if let ended = rows(\.ended) {
      parts.append(
        """
        ended AS (DELETE FROM @effects e USING unnest(\(ended.indexes)::bigint[], \(ended.numbers)::bigint[]) AS q (i, effect)
          JOIN done d USING (i) WHERE e.session = d.number AND e.effect = q.effect)
        """)
    }
  }

  /// Adds the parts that store responses. An expired response under the same key is replaced. If an unexpired response exists, another node
  /// has stored it while this statement ran. In this case, the statement sets the column `request` to NULL, and therefore fails.
  private mutating func addAnswers(_ writes: [Write], _ time: Int?) {
    let all = writes.enumerated().flatMap { index, write in
      write.write.answers.map { (index: index, key: $0.key, column: $0.key.column(of: write.write.record.id), answer: $0.answer) }
    }
    guard !all.isEmpty else { return }
    let isFree = time.map { "a.until <= \(parameters.add($0))::bigint" } ?? "true"
    func numbers(_ value: (KeptAnswer) -> Int?) -> String { parameters.add(all.map { value($0.answer) }) }
    parts.append(
      """
      new_answers AS (INSERT INTO @answers AS a (session, key, request, until, status, head, body, secret_at, revision)
        SELECT CASE WHEN q.is_creation = 1 THEN 0 ELSE d.number END, q.key, q.request, q.until, q.status, q.head, q.body, q.secret_at, q.revision
        FROM unnest(\(parameters.add(all.map { Optional($0.index) }))::bigint[],
          \(parameters.add(all.map { $0.key == .creation ? 1 : 0 }))::bigint[], \(parameters.add(all.map { Optional($0.column) }))::bytea[],
          \(parameters.add(all.map { Optional($0.answer.print.bytes) }))::bytea[], \(numbers { $0.until })::bigint[],
          \(numbers { $0.content.status })::bigint[], \(parameters.add(all.map { Optional($0.answer.content.head) }))::text[],
          \(parameters.add(all.map { Optional($0.answer.content.body) }))::bytea[], \(numbers { $0.content.hole })::bigint[], \(numbers { $0.revision })::bigint[])
          WITH ORDINALITY AS q (i, is_creation, key, request, until, status, head, body, secret_at, revision, place)
        JOIN done d USING (i) ORDER BY q.place
        ON CONFLICT (session, key) DO UPDATE SET number = DEFAULT, until = excluded.until, status = excluded.status, head = excluded.head,
          body = excluded.body, secret_at = excluded.secret_at, revision = excluded.revision, request = CASE WHEN \(isFree) THEN excluded.request END)
      """)
    // On average, every 64th key triggers the deletion of the session's excess responses. Keys are hashes, so clients cannot choose the keys that trigger it.
    let trimmed = Set(all.filter { $0.key != .creation && $0.column.first.map { $0 & 63 == 0 } ?? false }.map(\.index))
    guard !trimmed.isEmpty else { return }
    parts.append(
      """
      old_answers AS (DELETE FROM @answers a USING done d WHERE d.i = ANY(\(parameters.add(trimmed.sorted().map { Optional($0) }))::bigint[])
        AND a.session = d.number AND a.number <= (SELECT o.number FROM @answers o WHERE o.session = d.number
          ORDER BY o.number DESC OFFSET \(KeptAnswer.limit) LIMIT 1))
      """)
  }

  // MARK: deletions, and the row that names the commit

  private mutating func add(_ deletions: [Deletion]) {
    let sorted = deletions.sorted { $0.number < $1.number }
    parts.append(
      """
      gone AS (DELETE FROM @heads h USING unnest(\(parameters.add(sorted.map { Optional($0.number) }))::bigint[],
          \(parameters.add(sorted.map { $0.version?.revision }))::bigint[], \(parameters.add(sorted.map { $0.version?.hash.column }))::bigint[],
          \(parameters.add(sorted.map { $0.version?.beginning }))::bigint[]) AS q (number, revision, hash, beginning)
        WHERE h.session = q.number AND (q.revision IS NULL OR (h.revision, h.hash, h.beginning) = (q.revision, q.hash, q.beginning)) RETURNING h.session),
      gone_sessions AS (DELETE FROM @sessions s USING gone g WHERE s.number = g.session RETURNING s.number, s.id),
      gone_secrets AS (DELETE FROM @secrets s USING gone g WHERE s.session = g.session),
      gone_beginnings AS (DELETE FROM @beginnings b USING gone g WHERE b.session = g.session),
      gone_effects AS (DELETE FROM @effects e USING gone g WHERE e.session = g.session),
      gone_answers AS (DELETE FROM @answers a USING gone g WHERE a.session = g.session),
      blank_responses AS (UPDATE @answers a SET status = 0, head = '', body = '', secret_at = NULL
        FROM unnest(\(parameters.add(sorted.map { Optional($0.number) }))::bigint[],
          \(parameters.add(sorted.map { Optional(AnswerKey.creation.column(of: $0.id)) }))::bytea[]) AS q (number, key)
        JOIN gone g ON g.session = q.number WHERE a.session = 0 AND a.key = q.key),
      new_tombstones AS (INSERT INTO @tombstones (session) SELECT session FROM gone)
      """)
    results["deleted"] = "(SELECT array_agg(session) FROM gone)"
  }

  private mutating func addChange(of writes: [Write], _ deletions: [Deletion], _ name: Name) {
    var rows: [String] = []
    if !writes.isEmpty {
      let ids = parameters.add(writes.map { Optional($0.write.record.id) })
      let revisions = parameters.add(writes.map { Optional($0.write.record.state.revision) })
      let before = parameters.add(writes.map { Optional($0.write.after) })
      rows.append("SELECT (\(ids)::text[])[i + 1], (\(revisions)::bigint[])[i + 1], (\(before)::bigint[])[i + 1] FROM done")
    }
    if !deletions.isEmpty { rows.append("SELECT id, 0, 0 FROM gone_sessions") }
    parts.append(
      """
      change AS (INSERT INTO @changes (run, number, sessions, revisions, before)
        SELECT \(parameters.add(name.run))::bigint, \(parameters.add(name.number))::bigint,
          coalesce(array_agg(id), '{}'), coalesce(array_agg(revision), '{}'), coalesce(array_agg(before), '{}')
        FROM (\(rows.joined(separator: " UNION ALL "))) AS q (id, revision, before))
      """)
  }
}

extension CommitStatement.Write {
  /// The entries to store: the entries after a new beginning, or all entries.
  var entries: ArraySlice<JournalEntry> { write.entries.drop { $0.entry.revision <= beginning?.past.revision ?? 0 } }

  /// The size of the stored entries in bytes.
  var size: Int { Self.size(of: entries) }

  /// The stored entries after the last stage, and their size in bytes.
  var recent: (count: Int, size: Int) {
    let entries = entries.drop { $0.entry.revision <= stages.last?.revision ?? 0 }
    return (entries.count, Self.size(of: entries))
  }

  /// The size of the stored entries and of all new states in bytes.
  var total: Int {
    let states = (snapshot?.count ?? 0) + (beginning?.state.count ?? 0)
    return stages.reduce(size + states + (staged?.total ?? 0)) { $0 + $1.snapshot.count }
  }

  private static func size(of entries: ArraySlice<JournalEntry>) -> Int {
    entries.reduce(0) { $0 + $1.cause.count + $1.difference.count }
  }
}

extension UInt64 {
  /// The value of a column of type `bigint`.
  var column: Int { Int(Int64(bitPattern: self)) }

  init(column: Int) { self = UInt64(bitPattern: Int64(column)) }
}

extension AnswerKey {
  /// The value of the column `key`. For a creation it is a hash of the session's id, so that the id itself disappears with the session.
  func column(of session: String) -> [UInt8] {
    switch self {
    case .creation: TextDigest.bytes(of: session)
    case .request(let key): key.bytes
    }
  }
}
