import CairnAPI
import CairnCore
import CairnTesting
import Testing

/// The parser and the schema of a request accept the same bodies.
@Suite struct `Request bodies and their schemas` {
  private func value(_ text: String) throws -> Value { try FoundationJSON.value(text) }

  @Test(arguments: Understood.rows) func `an accepted action fits its schema`(row: Understood) throws {
    #expect(SchemaDocument.faults(try value(row.text), .actions) == [])
  }

  /// Repeated members are excluded, because a parsed value does not contain them and so no schema can detect them.
  @Test(arguments: Misunderstood.rows.filter { !$0.text.contains(#""a":1,"a":2"#) })
  func `an action that is rejected does not fit its schema`(row: Misunderstood) throws {
    #expect(SchemaDocument.faults(try value(row.text), .actions) != [])
  }

  @Test(arguments: Misunderstood.noActions) func `a text that names no action does not fit the schema`(text: String) throws {
    #expect(SchemaDocument.faults(try value(text), .actions) != [])
  }

  @Test func `an array with one to a thousand actions fits the schema`() {
    let bodies = [0, 1, 1_000, 1_001].map { Value.array(Array(repeating: ["type": "back"], count: $0)) }
    #expect(bodies.map { SchemaDocument.faults($0, .actions) == [] } == [false, true, true, false])
  }

  @Test(arguments: CreationRow.all) func `a creation is accepted exactly if it fits its schema`(row: CreationRow) throws {
    let faults = fault { () throws(BodyFault) in try CreationRequest(row.body) }
    guard let places = row.places else {
      #expect(faults == nil)
      #expect(SchemaDocument.faults(row.body, .creation) == [])
      return
    }
    guard case .invalid(let told)? = faults else {
      Issue.record("\(String(describing: faults))")
      return
    }
    #expect(told.map(\.pointer) == places)
    #expect(SchemaDocument.faults(row.body, .creation) != [])
  }

  @Test(
    arguments: [
      (["url": "x://y"], true), (["url": ""], true), ([:], false), (["url": 1], false), (["url": .null], false),
      (["url": "u", "x": 1], false),
      (["u"], false),
    ] as [(Value, Bool)]) func `a link is accepted exactly if it fits its schema`(body: Value, isRead: Bool)
  {
    #expect((fault { () throws(BodyFault) in try OpenRequest(body) } == nil) == isRead)
    #expect((SchemaDocument.faults(body, .link) == []) == isRead)
  }

  @Test(
    arguments: [
      ([:], true), (["aps": [:]], true), (["aps": ["alert": "x"], "own": 1], true), (["message": "x"], true), (["aps": 1], false),
      ([], false), ("x", false), (["payload": [:]], true), (["payload": ["aps": [:]], "reply": "a\nb", "action": "c"], true),
      (["payload": [:], "reply": 1], false), (["payload": [:], "other": 1], false), (["payload": ["aps": 1]], false),
      (["payload": "x", "other": 1], true), (["payload": [:], "aps": [:], "other": 1], true),
      (["payload": [:], "message": [:], "reply": 1], true),
      (["payload": [:], "reply": .string(String(repeating: "é", count: 10_000))], true),
      (["payload": [:], "reply": .string(String(repeating: "x", count: 10_001))], false),
    ] as [(Value, Bool)]) func `a notification is accepted exactly if it fits its schema`(body: Value, isRead: Bool)
  {
    #expect((fault { () throws(BodyFault) in try NotificationRequest(body) } == nil) == isRead)
    #expect((SchemaDocument.faults(body, .notification, isWhole: false) == []) == isRead)
  }
}

/// The body of a creation, and the pointers of its faults; `nil` for a valid body.
struct CreationRow: Sendable, CustomTestStringConvertible {
  var body: Value
  var places: [String]?
  var testDescription: String { body.shortText }

  init(_ body: Value, _ places: [String]? = nil) {
    self.body = body
    self.places = places
  }

  static let all = [
    CreationRow(["app": "a"]), CreationRow(["app": ""]), CreationRow([:], ["/app"]), CreationRow(["app": .null], ["/app"]),
    CreationRow(["app": "a", "accessToken": "t"]), CreationRow(["app": "a", "accessToken": ""], ["/accessToken"]),
    CreationRow(["app": "a", "accessToken": "two words"], ["/accessToken"]),
    CreationRow(["app": "a", "accessToken": "a\u{7F}"], ["/accessToken"]),
    CreationRow(["app": "a", "open": "u"]), CreationRow(["app": "a", "open": ["url": "u"]], ["/open"]),
    CreationRow(["app": "a", "notification": [:]]), CreationRow(["app": "a", "notification": "x"], ["/notification"]),
    CreationRow(["app": "a", "open": "u", "notification": [:]], [""]), CreationRow(["app": "a", "requests": "sent"]),
    CreationRow(["app": "a", "requests": "manual"]), CreationRow(["app": "a", "requests": "none"], ["/requests"]),
    CreationRow(["app": "a", "clock": "system"]), CreationRow(["app": "a", "clock": "Manual"], ["/clock"]),
    CreationRow(["app": "a", "clock": "manual"]), CreationRow(["app": "a", "clock": "2026-03-01T12:00:00+01:00"]),
    CreationRow(["app": "a", "clock": "2026-03-01"], ["/clock"]), CreationRow(["app": "a", "clock": 0], ["/clock"]),
    CreationRow(["app": "a", "environment": ["A": "x", "B": ""]]),
    CreationRow(["app": "a", "environment": ["A": 1, "B": "x", "C": .null]], ["/environment", "/environment"]),
    CreationRow(["app": "a", "environment": []], ["/environment"]), CreationRow(["app": "a", "facts": ["f": [1, .null]]]),
    CreationRow(["app": "a", "facts": []], ["/facts"]), CreationRow(["app": "a", "label": .string(String(repeating: "é", count: 200))]),
    CreationRow(["app": "a", "label": .string(String(repeating: "x", count: 201))], ["/label"]),
    CreationRow(["app": "a", "label": "a\nb"], ["/label"]),
    // The text is one character with 200 combining marks, which count as Unicode scalars.
    CreationRow(["app": "a", "label": .string("e" + String(repeating: "\u{301}", count: 200))], ["/label"]),
    CreationRow(["app": "a", "lable": "x"], ["/lable"]),
  ]
}
