import CairnCore
import CairnTesting
import Foundation
import Testing

/// Parses a text and passes its root element to `body`.
private func reading<Result>(_ text: String, depthLimit: Int = 8, _ body: (JSONElement) -> Result) throws(JSONFault) -> Result {
  try JSONDocument.read(Array(text.utf8), depthLimit: depthLimit, body)
}

/// The fault with which a text is rejected, or `nil`.
private func fault(_ text: String, depthLimit: Int = 8) -> JSONFault? {
  do throws(JSONFault) {
    try reading(text, depthLimit: depthLimit) { _ in }
    return nil
  } catch {
    return error
  }
}

@Suite struct `JSON parser` {
  @Test func `a member is found by its name, with or without escapes`() throws {
    try reading(#"{"a":1,"step":"x","\u0074ype":{"step":2},"é":3}"#) { object in
      #expect(object.isObject && !object.isArray && object.count == 4)
      #expect(object["step"]?.string == "x")
      #expect(object["type"]?["step"]?.integer == 2)
      #expect(object["ste"] == nil && object["steps"] == nil && object["e"] == nil)
      #expect(object.member("type")?.place == 2)
      #expect(object.members.map { $0.name.string } == ["a", "step", "type", "é"])
      #expect(object["a"]?["a"] == nil)
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-7", -7), ("1.0", 1), ("1e3", 1_000), ("123456789012345678", 123_456_789_012_345_678),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1.5", nil), ("\"1\"", nil),
      ("true", nil), ("[]", nil),
    ] as [(String, Int?)])
  func `an integer is recognised in every notation`(text: String, integer: Int?) throws {
    #expect(try reading(text) { $0.integer } == integer)
  }

  @Test(
    arguments: [
      (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""a\uD83Db""#, "a\u{FFFD}b"), (#""\ud83d\n""#, "\u{FFFD}\n"),
      (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
      (#""\\ud83d\ud83d""#, "\\ud83d\u{FFFD}"), (#""\ud83d\ude00""#, "😀"),
    ]) func `a surrogate without its other half is the replacement character, in every parser`(text: String, value: String) throws
  {
    #expect(try reading(text) { $0.string } == value)
    let mended = JSONEscape.withoutLoneSurrogates(Array(text.utf8))
    #expect(try FoundationJSON.value(Data(mended)) == .string(value))
    #expect(fault(#""\ud83d\u12""#) != nil)
  }

  @Test func `elements and nested elements keep their order`() throws {
    let values = try reading(#"[1,[2,[3]],{"a":[4]},"x",null,false]"#) { array in array.elements.map(\.value) }
    #expect(values == [1, [2, [3]], ["a": [4]], "x", .null, false])
  }

  @Test func `an element has the pointer of its position`() throws {
    try reading(#"{"a":[0,{"b~/c":[[],"here"]}],"z":1}"#) { root in
      var found: [String] = []
      func walk(_ element: JSONElement) {
        found.append(element.pointer)
        for element in element.elements { walk(element) }
        for (_, value) in element.members { walk(value) }
      }
      walk(root)
      #expect(found == ["", "/a", "/a/0", "/a/1", "/a/1/b~0~1c", "/a/1/b~0~1c/0", "/a/1/b~0~1c/1", "/z"])
    }
  }

  @Test func `a repeated name is found among few and many members, also if canonically equivalent`() {
    #expect(fault(#"{"a":1,"b":2,"a":3}"#) == .repeated(["/a"], count: 1))
    #expect(fault(#"{"a":1,"\u0061":{"b":1,"b":2},"a":3}"#) == .repeated(["/a/b", "/a", "/a"], count: 3))
    #expect(fault("{\"\u{E9}\":1,\"e\u{301}\":2}") == .repeated(["/e\u{301}"], count: 1))
    let many = (0..<100).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    #expect(fault("{\(many)}") == nil)
    #expect(fault("{\(many),\"m40\":1}") == .repeated(["/m40"], count: 1))
  }

  @Test func `a fault contains its line and column`() {
    #expect(fault("[1,\n 2,]") == .malformed("expected a value", line: 2, column: 4))
    #expect(fault("[\"\\u12\"]") == .malformed("expected four hexadecimal digits", line: 1, column: 5))
    #expect(fault("[1") == .malformed("expected a comma or ]", line: 1, column: 3))
    #expect(fault("") == .malformed("the text ends where a value is expected", line: 1, column: 1))
    #expect(fault("[[[1]]]", depthLimit: 2) == .tooDeep(limit: 2))
    #expect(fault("[[1]]", depthLimit: 2) == nil)
  }

  @Test func `mutated texts that are accepted mean the same to Foundation and after writing`() throws {
    let texts = [
      #"{"step":"s","params":{"a":7,"b":[1.5e3,-0,null,true,false,"\u00e9\n\ud83d\ude00é"]},"from":"n7"}"#,
      #"[[[]],{"a":{},"b":{"c":"\\"}}]"#,
      "12", #""\u""#, "[1,2,3.25E-2]",
    ].map { Array($0.utf8) }
    let odd = Array("{}[]\",:\\u0123456789eE+-.tfn \u{1}é".utf8)
    var random = SystemRandomNumberGenerator()
    for round in 0..<5_000 {
      var bytes = texts[round % texts.count]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        let byte = odd[Int.random(in: 0..<odd.count, using: &random)]
        bytes.replaceSubrange(place..<min(place + Int.random(in: 0...1, using: &random), bytes.count), with: Bool.random() ? [byte] : [])
      }
      guard let value = try? JSONDocument.read(bytes, depthLimit: 6, { $0.value }) else { continue }
      #expect(try FoundationJSON.value(Data(JSONEscape.withoutLoneSurrogates(bytes))) == value)
      var writer = JSONWriter(capacity: 1)
      value.write(to: &writer)
      #expect(try JSONDocument.read(try writer.bytes(), depthLimit: 6, { $0.value }) == value)
    }
  }

  @Test(
    arguments: [
      .number(2), .number(-0.0), .number(1e300), .number(.infinity), .number(-.infinity), .integer(.min), .integer(.max), 7, .number(0.5),
      .null,
      .string("\u{0}\u{1F}\n\r\t\u{8}\u{C}\"\\/é\u{7F}\u{1F600}"), ["b": [1, .number(3)], "a": ["é\n": .number(4)]], [[]], [:],
    ] as [Value])
  func `a stored value is read exactly as it was`(value: Value) throws {
    let bytes = JSONWriter.stored { value.write(to: &$0) }
    let read = try JSONDocument.read(bytes, depthLimit: 8, isStored: true) { $0.value(isStored: true) }
    #expect(read == value)
    if case .number(let number) = value, case .number(let again) = read { #expect(number.bitPattern == again.bitPattern) }
  }

  @Test func `NaN is stored as null, and an infinite number is accepted only in stored text`() throws {
    let bytes = JSONWriter.stored { $0.array([Value.number(.nan), .number(.infinity)]) }
    #expect(String(decoding: bytes, as: UTF8.self) == "[null,1e999]")
    #expect(fault("[null,1e999]") == .malformed("the number is too large", line: 1, column: 12))
  }

  @Test func `a text with many values is parsed correctly`() throws {
    for count in [0, 1, 31, 62, 63, 64, 65, 127, 200, 1_000] {
      let text = "[" + (0..<count).map { "{\"n\":\($0)}" }.joined(separator: ", ") + "]"
      let numbers = try reading(text) { $0.elements.map { $0["n"]?.integer } }
      #expect(numbers == (0..<count).map { $0 })
    }
  }
}
