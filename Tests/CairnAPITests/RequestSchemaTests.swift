import CairnAPI
import CairnCore
import CairnTesting
import Testing

/// Reader and schema of a request agree: what one takes the other takes.
@Suite struct `Requests and their schemas` {
  private func value(_ text: String) throws -> Value { try FoundationJSON.value(text) }

  @Test(arguments: Understood.rows) func `an action that is read fits its schema`(row: Understood) throws {
    #expect(SchemaDocument.faults(try value(row.text), .actions) == [])
  }

  /// A repeated member is not in what a reader of JSON gives, so that no schema can tell.
  @Test(arguments: Misunderstood.rows.filter { !$0.text.contains(#""a":1,"a":2"#) })
  func `an action that is rejected does not fit its schema`(row: Misunderstood) throws {
    #expect(SchemaDocument.faults(try value(row.text), .actions) != [])
  }

  @Test(arguments: Misunderstood.noActions) func `what is no action does not fit the schema of one`(text: String) throws {
    #expect(SchemaDocument.faults(try value(text), .actions) != [])
  }

  @Test func `an array fits with one to a thousand actions`() {
    let bodies = [0, 1, 1_000, 1_001].map { Value.array(Array(repeating: ["type": "back"], count: $0)) }
    #expect(bodies.map { SchemaDocument.faults($0, .actions) == [] } == [false, true, true, false])
  }

  @Test(arguments: CreationRow.all) func `a creation is read if, and only if, it fits its schema`(row: CreationRow) throws {
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
    ] as [(Value, Bool)]) func `a link is read if, and only if, it fits its schema`(body: Value, isRead: Bool)
  {
    #expect((fault { () throws(BodyFault) in try OpenRequest(body) } == nil) == isRead)
    #expect((SchemaDocument.faults(body, .link) == []) == isRead)
  }

  @Test(
    arguments: [
      ([:], true), (["aps": [:]], true), (["aps": ["alert": "x"], "own": 1], true), (["message": "x"], true), (["aps": 1], false),
      ([], false),
      ("x", false),
    ] as [(Value, Bool)]) func `a notification is read if, and only if, it fits its schema`(body: Value, isRead: Bool)
  {
    #expect((fault { () throws(BodyFault) in try NotificationRequest(body) } == nil) == isRead)
    #expect((SchemaDocument.faults(body, .notification, isWhole: false) == []) == isRead)
  }
}

/// A body that starts a session, and where it is wrong; nil: nowhere.
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
    CreationRow(["app": "a", "accessToken": ""]), CreationRow(["app": "a", "accessToken": "a\u{7F}"], ["/accessToken"]),
    CreationRow(["app": "a", "open": "u"]), CreationRow(["app": "a", "open": ["url": "u"]], ["/open"]),
    CreationRow(["app": "a", "notification": [:]]), CreationRow(["app": "a", "notification": "x"], ["/notification"]),
    CreationRow(["app": "a", "open": "u", "notification": [:]], [""]), CreationRow(["app": "a", "requests": "sent"]),
    CreationRow(["app": "a", "requests": "manual"]), CreationRow(["app": "a", "requests": "none"], ["/requests"]),
    CreationRow(["app": "a", "clock": "system"]), CreationRow(["app": "a", "clock": "Manual"], ["/clock"]),
    CreationRow(["app": "a", "environment": ["A": "x", "B": ""]]),
    CreationRow(["app": "a", "environment": ["A": 1, "B": "x", "C": .null]], ["/environment", "/environment"]),
    CreationRow(["app": "a", "environment": []], ["/environment"]), CreationRow(["app": "a", "facts": ["f": [1, .null]]]),
    CreationRow(["app": "a", "facts": []], ["/facts"]), CreationRow(["app": "a", "label": .string(String(repeating: "é", count: 200))]),
    CreationRow(["app": "a", "label": .string(String(repeating: "x", count: 201))], ["/label"]),
    CreationRow(["app": "a", "label": "a\nb"], ["/label"]),
    // One letter to a reader of text, and as many characters as are combined in it.
    CreationRow(["app": "a", "label": .string("e" + String(repeating: "\u{301}", count: 200))], ["/label"]),
    CreationRow(["app": "a", "lable": "x"], ["/lable"]),
  ]
}
