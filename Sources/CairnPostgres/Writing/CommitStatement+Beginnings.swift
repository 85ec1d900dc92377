import CairnCore
import CairnJournal

// The parts of the statement for sessions whose history gets a new beginning. Later parts read the changed heads from `moved_on`, and the states of the
// beginnings from `first_states`.
extension CommitStatement {
  /// Adds the parts that replace the heads of sessions whose history gets a new beginning. These sessions may also have new entries.
  /// Returns a query like that of `addPosts`. If a page spans the beginning, only its part after the beginning is kept. Responses up to the
  /// beginning lose their content. Earlier pages and snapshots are erased later.
  mutating func addBeginnings(_ writes: [Write], _ indexes: [Int], _ time: Int?) -> String {
    let sorted = indexes.sorted { writes[$0].number ?? 0 < writes[$1].number ?? 0 }
    func column(_ value: (Write) -> Int?) -> String { parameters.add(sorted.map { value(writes[$0]) }) }
    let definitions = parameters.add(sorted.map { writes[$0].write.entries.last { $0.definition != nil }?.definition })
    let isFree = time == nil ? "" : " AND q.i NOT IN (SELECT i FROM taken)"
    parts.append(
      """
      begun_anew AS MATERIALIZED (SELECT * FROM unnest(\(parameters.add(sorted.map { Optional($0) }))::bigint[],
          \(column { $0.number })::bigint[], \(column { $0.write.after })::bigint[], \(column { $0.before?.hash.column })::bigint[],
          \(column { $0.before?.beginning })::bigint[],
          \(column { $0.write.record.state.revision })::bigint[], \(column { $0.write.entries.last?.hash.column })::bigint[],
          \(column { $0.write.record.updatedAt })::bigint[], \(column { $0.write.entries.last?.due })::bigint[], \(definitions)::text[],
          \(column { $0.entries.count })::bigint[], \(column { $0.size })::bigint[],
          \(parameters.add(sorted.map { Optional(writes[$0].page) }))::bytea[], \(column { $0.beginning?.past.revision })::bigint[],
          \(column { $0.beginning?.state.count })::bigint[], \(column { $0.beginning?.forgotten })::bigint[],
          \(column { $0.beginning?.tail?.revision })::bigint[], \(parameters.add(sorted.map { writes[$0].beginning?.tail?.body }))::bytea[],
          \(parameters.add(sorted.map { Optional(AnswerKey.creation.column(of: writes[$0].write.record.id)) }))::bytea[])
        AS q (i, number, after, before, first, revision, hash, updated_at, due, definition, entries, bytes, body, beginning, size, forgotten,
          page, tail, creation)),
      moved_on AS (UPDATE @heads h SET revision = q.revision, hash = coalesce(q.hash, h.hash), updated_at = q.updated_at,
          due = CASE WHEN q.revision > q.after THEN q.due ELSE h.due END, definition = coalesce(q.definition, h.definition),
          entries = CASE WHEN q.forgotten IS NULL THEN q.entries ELSE h.entries + q.entries END,
          bytes = CASE WHEN q.forgotten IS NULL THEN q.bytes ELSE h.bytes + q.bytes END,
          snapshot = CASE WHEN q.forgotten IS NULL THEN q.size ELSE h.snapshot END,
          total = CASE WHEN q.forgotten IS NULL THEN q.bytes ELSE greatest(0, h.total - q.forgotten) + q.bytes END + q.size,
          beginning = greatest(h.beginning, q.beginning)
        FROM begun_anew q WHERE h.session = q.number AND h.revision = q.after AND (q.before IS NULL OR (h.hash, h.beginning) = (q.before, q.first))\(isFree)
        RETURNING q.i, q.number, q.revision, q.body, q.beginning, q.page, q.tail, q.creation, h.beginning = q.beginning AS is_first),
      cut_pages AS (UPDATE @pages p SET body = m.tail FROM moved_on m WHERE m.is_first AND p.session = m.number AND p.revision = m.page),
      left_over AS (INSERT INTO @forgotten (session, revision) SELECT number, beginning FROM moved_on ON CONFLICT DO NOTHING),
      forgotten_answers AS (UPDATE @answers a SET status = 0, head = '', body = '', secret_at = NULL FROM moved_on m
        WHERE (a.session = m.number AND a.revision <= m.beginning OR a.session = 0 AND a.key = m.creation) AND a.status <> 0\
      \(time.map { " AND a.until > \(parameters.add($0))::bigint" } ?? ""))
      """)
    return "SELECT i, number FROM moved_on"
  }

  /// Adds the parts that store the first states of histories with a new beginning.
  mutating func addFirstStates(_ writes: [Write]) {
    let all = writes.enumerated().compactMap { index, write in write.beginning.map { (index: index, new: $0) } }
    guard !all.isEmpty else { return }
    func numbers(_ value: (Beginning) -> Int) -> String { parameters.add(all.map { Optional(value($0.new)) }) }
    parts.append(
      """
      first_states AS MATERIALIZED (SELECT d.number, q.* FROM unnest(\(parameters.add(all.map { Optional($0.index) }))::bigint[],
          \(numbers { $0.past.revision })::bigint[], \(numbers { $0.past.hash.column })::bigint[], \(numbers { $0.past.time })::bigint[],
          \(numbers { $0.identity.column })::bigint[], \(parameters.add(all.map { Optional($0.new.state) }))::bytea[],
          \(parameters.add(all.map { Optional($0.new.past.definition) }))::text[])
          AS q (i, revision, hash, at, origin, state, definition) JOIN done d USING (i)),
      new_beginnings AS (INSERT INTO @beginnings AS b (session, revision, hash, at, origin)
        SELECT number, revision, hash, at, origin FROM first_states ON CONFLICT (session) DO UPDATE
        SET revision = excluded.revision, hash = excluded.hash, at = excluded.at WHERE b.revision < excluded.revision),
      kept_states AS (INSERT INTO @snapshots (session, revision, format, state, definition)
        SELECT number, revision, \(StateFormat.version), state, definition FROM first_states
        ON CONFLICT (session, revision) DO UPDATE SET format = excluded.format, state = excluded.state, definition = excluded.definition)
      """)
  }
}
