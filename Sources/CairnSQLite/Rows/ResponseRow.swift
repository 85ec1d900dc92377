import CairnJournal

/// A row of the table of responses.
struct ResponseRow {
  var number: Int
  /// The number of the session; 0 for the response to a creation.
  var session: Int
  var key: [UInt8]
  var answer: KeptAnswer

  /// The columns of queries and insertions, in the order of the schema.
  static let columns = "number, session, key, request, until, status, head, body, secret_at, \"check\", revision"

  init(number: Int, session: Int, key: [UInt8], answer: KeptAnswer) {
    self.number = number
    self.session = session
    self.key = key
    self.answer = answer
  }

  /// Reads a row of `columns`.
  init(_ row: Prepared) {
    self.init(
      number: row.integer(0), session: row.integer(1), key: row.bytes(2),
      answer: KeptAnswer(
        print: Fingerprint(row.bytes(3)), until: row.integer(4),
        content: RenderedAnswer(status: row.integer(5), head: row.text(6), body: row.bytes(7), hole: row.optionalInteger(8)),
        revision: row.integer(10)))
  }

  /// Inserts the row with a statement for `columns`.
  func put(_ insert: Prepared, _ check: RowCheck) throws {
    insert.bind(1, number)
    insert.bind(2, session)
    insert.bind(3, blob: key)
    insert.bind(4, blob: answer.print.bytes)
    insert.bind(5, answer.until)
    insert.bind(6, answer.content.status)
    insert.bind(7, answer.content.head)
    insert.bind(9, answer.content.hole)
    insert.bind(10, value(check))
    insert.bind(11, answer.revision)
    try answer.content.body.withUnsafeBufferPointer { body in
      insert.bindInPlace(8, blob: body)
      try insert.run()
    }
  }

  /// The value of the row's column `check`.
  func value(_ check: RowCheck) -> Int {
    // Combines the columns one by one, because this is fast, and every keyed request writes such a row.
    var hash = check.hash("responses")
    hash.combine(Optional(number))
    hash.combine(Optional(session))
    hash.combine(field: key)
    hash.combine(field: answer.print.bytes)
    hash.combine(Optional(answer.until))
    hash.combine(Optional(answer.content.status))
    hash.combine(answer.content.head)
    hash.combine(field: answer.content.body)
    hash.combine(answer.content.hole)
    // Rows that were written before the column `revision` existed have the value 0 there, and their check value does not include it.
    if answer.revision > 0 { hash.combine(Optional(answer.revision)) }
    return hash.finish().column
  }
}
