import CairnAPI
import CairnCore
import Testing

/// What a body's reading was refused with.
private func fault<Result>(_ read: () throws(BodyFault) -> Result) -> BodyFault? {
  do throws(BodyFault) {
    _ = try read()
    return nil
  } catch {
    return error
  }
}

@Suite struct `Bodies on the wire` {
  @Test(arguments: [
    "", " ", "{", "{'a':1}", "[1,]", "[1 , ]", "{\"a\":1,}", "[,]", "{\"a\":01}", "1.", ".5", "+1", "-", "0x1", "NaN", "Infinity", "'a'",
    "[1 2]", "{1:2}", "// c\n1", "nul", "1 2", "\u{FEFF}x", "{\"a\":1e999}", "\"\u{01}\"", "{\"a\" 1}",
  ])
  func `what is not JSON`(text: String) {
    let fault = fault { () throws(BodyFault) in try JSONBody.read(Array(text.utf8)) }
    if case .notJSON? = fault { return }
    Issue.record("\(String(describing: fault))")
  }

  @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x7B, 0x00, 0x7D, 0x00], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
  func `what is not UTF-8`(bytes: [UInt8]) {
    #expect(fault { () throws(BodyFault) in try JSONBody.read(bytes) } == .notJSON("the body must be JSON in UTF-8"))
  }

  @Test func `members given twice are found wherever they are, escapes or not`() {
    let text = #"{"a":[{"x":1,"\u0078":2},{"x":"}\"{","y":[]}],"b":{"/":1,"/":2},"a":0}"#
    let fault = fault { () throws(BodyFault) in try JSONBody.read(Array(text.utf8)) }
    guard case .invalid(let faults)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(faults.map(\.pointer) == ["/a/0/x", "/b/~1", "/a"])
  }

  @Test func `nesting is bounded`() throws {
    let nested = { (depth: Int) in Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
    _ = try JSONBody.read(nested(64))
    for depth in [65, 300, 5_000] {
      let fault = fault { () throws(BodyFault) in try JSONBody.read(nested(depth)) }
      if case .notJSON? = fault { continue }
      Issue.record("depth \(depth): \(String(describing: fault))")
    }
  }

  @Test func `a whole creation`() throws {
    let text = #"{"app":"a","accessToken":"t","open":"x://y","clock":"manual","label":"l","facts":{"f":1}}"#
    let request = try CreationRequest(try JSONBody.read(Array(text.utf8)))
    #expect(request.app == "a" && request.accessToken == "t" && request.arrival == .open(url: "x://y"))
    #expect(request.isManualClock && request.label == "l" && request.facts == ["f": 1])
    let least = try CreationRequest(["app": "a"])
    #expect(least.accessToken == nil && least.arrival == nil && !least.isManualClock && least.label == nil && least.facts == nil)
  }

  @Test func `everything that is wrong with a creation`() {
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

  @Test func `a link`() throws {
    #expect(try OpenRequest(["url": "u"]).url == "u")
    #expect(
      fault { () throws(BodyFault) in try OpenRequest(["uri": "u"]) }
        == .invalid([
          .init(pointer: "/url", detail: "is missing; it must be a string"),
          .init(pointer: "/uri", detail: "is unknown; did you mean url?"),
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
      (#"{"url":7}"#, nil, nil, ""),
      ("{}", nil, nil, ""),
    ] as [(String, String?, String?, String)])
  func `where notifications keep link and category`(text: String, url: String?, category: String?, pointer: String) throws {
    let request = try NotificationRequest(try JSONBody.read(Array(text.utf8)))
    let definition = NotificationDefinition()
    #expect(
      request.command(definition, tap: true, appState: .killed)
        == .action(.notification(url: url, category: category, tap: true, appState: .killed)))
    #expect(request.linkPointer(definition) == pointer)
  }

  @Test func `a notification that is none`() {
    #expect(fault { () throws(BodyFault) in try NotificationRequest("x") } != nil)
    #expect(
      fault { () throws(BodyFault) in try NotificationRequest(["aps": "x"]) }
        == .invalid([.init(pointer: "/aps", detail: "must be an object, not string")]))
  }
}
