import CairnCore
import CairnJournal

// Writes with many entries are stored as several pages. For each page except the last, the state at its end is stored as a snapshot.
extension CommitStatement {
  /// A page of a long write, and the state at its end.
  struct Stage {
    var revision: Int
    var definition: String
    var page: [UInt8]
    var snapshot: [UInt8]
  }

  /// Adds the parts that store the pages before the last one, and the states at their ends.
  mutating func addStages(_ writes: [Write]) {
    let all = writes.enumerated().flatMap { index, write in write.stages.map { (index: index, stage: $0) } }
    guard !all.isEmpty else { return }
    parts.append(
      """
      stages AS MATERIALIZED (SELECT d.number, q.revision, q.definition, q.body, q.state
        FROM unnest(\(parameters.add(all.map { Optional($0.index) }))::bigint[], \(parameters.add(all.map { Optional($0.stage.revision) }))::bigint[],
          \(parameters.add(all.map { Optional($0.stage.definition) }))::text[], \(parameters.add(all.map { Optional($0.stage.page) }))::bytea[],
          \(parameters.add(all.map { Optional($0.stage.snapshot) }))::bytea[]) AS q (i, revision, definition, body, state)
        JOIN done d USING (i)),
      stage_pages AS (INSERT INTO @pages (session, revision, body) SELECT number, revision, body FROM stages),
      stage_snapshots AS (INSERT INTO @snapshots (session, revision, format, state, definition)
        SELECT number, revision, \(StateFormat.version), state, definition FROM stages)
      """)
  }
}
