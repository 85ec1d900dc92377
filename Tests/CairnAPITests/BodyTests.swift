import CairnAPI
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `Parsing of request bodies` {
  @Test(arguments: [
    "", " ", "{", "{'a':1}", "[1,]", "[1 , ]", "{\"a\":1,}", "[,]", "{\"a\":01}", "1.", ".5", "+1", "-", "0x1", "NaN", "Infinity", "'a'",
    "[1 2]", "1e", "1e+", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"a", "[", "{\"a\":",
    "tru", "[1]]", "00", "-01", "{1:2}", "// c\n1", "nul", "1 2", "\u{FEFF}x", "{\"a\":1e999}", "\"\u{01}\"", "{\"a\" 1}",
  ])
  func `a malformed body is rejected`(text: String) {
    let fault = fault { () throws(BodyFault) in try JSONBody.read(Array(text.utf8)) }
    if case .notJSON? = fault { return }
    Issue.record("\(String(describing: fault))")
  }

  @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
  func `a body that is not UTF-8 is rejected`(bytes: [UInt8]) {
    #expect(fault { () throws(BodyFault) in try JSONBody.read(bytes) } == .notJSON("the body must be JSON in UTF-8"))
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", true), ("false\n", false), ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", 1),
      ("1.5", .number(1.5)),
      ("1e3", 1_000), ("2E-1", .number(0.2)), ("-1.25e+2", -125), ("\"\"", ""),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{08}\u{0C}\n\r\t"),
      ("\"\\u00e9\\uD83D\\uDE00\\u0000é😀\"", "é😀\u{0}é😀"), ("[]", []), ("[ 1 , [ ] ]", [1, []]), ("{}", [:]),
      ("\t{ \"a\" : { \"\" : null } }", ["a": ["": .null]]),
    ] as [(String, Value)])
  func `JSON is parsed to its value`(text: String, value: Value) throws {
    #expect(try JSONBody.read(Array(text.utf8)) == value)
  }

  @Test func `written values are parsed to the same value, here and by Foundation`() throws {
    var random = SystemRandomNumberGenerator()
    func make(_ depth: Int) -> Value {
      switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
      case 0: .null
      case 1: .bool(.random(using: &random))
      case 2: .integer(.random(in: .min ... .max, using: &random))
      case 3: .number(.random(in: -1e9...1e9, using: &random) + 0.5 / 3)
      case 4:
        .string(
          String(String.UnicodeScalarView((0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x1_F6FF, using: &random)) })))
      case 5: .array((0..<4).map { _ in make(depth + 1) })
      default: .object(Dictionary((0..<4).map { _ in ("\(Int.random(in: 0..<99, using: &random))", make(depth + 1)) }) { $1 })
      }
    }
    for _ in 0..<300 {
      let value = make(0)
      let text = try JSONText.bytes(value)
      let read = try JSONBody.read(text)
      #expect(read == value)
      #expect(try FoundationJSON.value(Data(text)) == read)
    }
  }

  @Test func `a fault contains its line and column`() {
    let fault = fault { () throws(BodyFault) in try JSONBody.read(Array("{\n  \"a\": 1\n  \"b\": 2\n}".utf8)) }
    #expect(fault == .notJSON("the body must be JSON: expected a comma or }, at line 3, column 3"))
  }

  @Test func `repeated members are found at any depth, with or without escapes`() {
    let text = #"{"a":[{"x":1,"\u0078":2},{"x":"}\"{","y":[]}],"b":{"/":1,"/":2},"a":0}"#
    let fault = fault { () throws(BodyFault) in try JSONBody.read(Array(text.utf8)) }
    guard case .invalid(let faults)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(faults.map(\.pointer) == ["/a/0/x", "/b/~1", "/a"])
  }

  @Test func `the depth of nesting is bounded`() throws {
    let nested = { (depth: Int) in Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
    _ = try JSONBody.read(nested(64))
    for depth in [65, 300, 5_000] {
      let fault = fault { () throws(BodyFault) in try JSONBody.read(nested(depth)) }
      if case .notJSON? = fault { continue }
      Issue.record("depth \(depth): \(String(describing: fault))")
    }
  }

  @Test func `a creation with all members is parsed`() throws {
    let text = #"{"app":"a","accessToken":"t","open":"x://y","clock":"manual","label":"l","facts":{"f":1}}"#
    let request = try JSONBody.read(Array(text.utf8)) { body throws(BodyFault) in try CreationRequest(body) }
    #expect(request.app == "a" && request.accessToken == "t" && request.arrival == .open(url: "x://y"))
    #expect(request.isManualClock && request.label == "l" && request.facts == ["f": 1])
    let least = try CreationRequest(["app": "a"])
    #expect(least.accessToken == nil && least.arrival == nil && !least.isManualClock && least.label == nil && least.facts == nil)
  }

  @Test func `all faults of a creation are reported`() {
    let body: Value = [
      "accessToken": 1, "open": "u", "notification": [:], "clock": "fast", "label": .string(String(repeating: "x", count: 201)), "facts": 2,
      "secret": "s",
    ]
    guard case .invalid(let faults)? = fault({ () throws(BodyFault) in try CreationRequest(body) }) else {
      Issue.record("it was taken")
      return
    }
    #expect(faults.map(\.pointer) == ["/app", "/accessToken", "", "/clock", "/label", "/facts", "/secret"])
    #expect(fault { () throws(BodyFault) in try CreationRequest([]) } != nil)
  }

  @Test func `the body of a link is parsed`() throws {
    #expect(try OpenRequest(["url": "u"]).url == "u")
    #expect(
      fault { () throws(BodyFault) in try OpenRequest(["uri": "u"]) }
        == .invalid([
          .init(pointer: "/url", detail: "is missing; it must be a URL of at most 4096 bytes"),
          .init(pointer: "/uri", detail: "is unknown; did you mean `url`?"),
        ]))
  }

  @Test(
    arguments: [
      (#"{"aps":{"alert":"x","category":"c"},"url":"u"}"#, "u", "c", "/url"),
      (#"{"aps":{},"data":{"url":"u"},"Simulator Target Bundle":"com.example"}"#, "u", nil, "/data/url"),
      (#"{"link":"second","deeplink":"third","category":"top"}"#, "second", "top", "/link"),
      (#"{"message":{"token":"t","data":{"link":"u","category":"c"}}}"#, "u", "c", "/message"),
      (#"{"message":{"apns":{"payload":{"aps":{"category":"c"},"url":"apple"}},"data":{"url":"data"}}}"#, "apple", "c", "/message"),
      (#"{"aps":{},"message":{"url":"not this one"}}"#, nil, nil, ""),
      (#"{"message":"hello","url":"u"}"#, "u", nil, "/url"),
      (#"{"url":null,"data":{"link":"l"}}"#, "l", nil, "/data/link"),
      ("{}", nil, nil, ""),
    ] as [(String, String?, String?, String)])
  func `the link and category of a notification are found`(text: String, url: String?, category: String?, pointer: String) throws {
    let request = try NotificationRequest(try JSONBody.read(Array(text.utf8)))
    let definition = NotificationDefinition()
    #expect(
      try request.command(definition, tap: true, appState: .killed)
        == .action(.notification(url: url, category: category, tap: true, appState: .killed)))
    #expect(request.linkPointer(definition) == pointer)
  }

  @Test func `a link or a category that is not a string is a fault at the places that the definition names, and passed over elsewhere`()
    throws
  {
    let request = try NotificationRequest(["aps": ["category": 5], "url": 7])
    let named = NotificationDefinition(linkPointers: ["/link", "/url"], categoryPointers: ["/aps/category"])
    #expect(
      throws: BodyFault.invalid([.init(pointer: "/url", detail: "must be a string, not integer")])
    ) { try request.command(NotificationDefinition(linkPointers: ["/link", "/url"]), tap: true, appState: .killed) }
    #expect(throws: BodyFault.self) { try request.command(named, tap: true, appState: .killed) }
    let nothing = Command.action(.notification(url: nil, category: nil, tap: true, appState: .killed))
    #expect(try request.command(NotificationDefinition(), tap: true, appState: .killed) == nothing)
    let other = try NotificationRequest(["aps": ["category": 5], "url": 7, "link": "u"])
    #expect(other.linkPointer(named) == "/link")
    let opened = Command.action(.notification(url: "u", category: nil, tap: true, appState: .killed))
    #expect(try other.command(NotificationDefinition(linkPointers: ["/url", "/link"]), tap: true, appState: .killed) == opened)
  }

  @Test func `an invalid notification is rejected`() {
    #expect(fault { () throws(BodyFault) in try NotificationRequest("x") } != nil)
    #expect(
      fault { () throws(BodyFault) in try NotificationRequest(["aps": "x"]) }
        == .invalid([.init(pointer: "/aps", detail: "must be an object, not string")]))
  }
}
