import CairnCore
import CairnTesting
import Foundation
import Testing

/// The text that `write` produces.
private func text(capacity: Int = 64, _ write: (inout JSONWriter) -> Void) throws -> String {
  var writer = JSONWriter(capacity: capacity)
  write(&writer)
  return String(decoding: try writer.bytes(), as: UTF8.self)
}

@Suite struct `JSON writer` {
  @Test func `commas are written between values only`() throws {
    let text = try text { writer in
      writer.beginObject()
      writer.member("a", 1)
      writer.name("b")
      writer.beginArray()
      writer.null()
      writer.bool(true)
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.string("x")
      writer.endArray()
      writer.member("c", ifPresent: Int?.none)
      writer.member("d", orNull: Int?.none)
      writer.key("e\"")
      writer.id(NodeID(7))
      writer.endObject()
    }
    #expect(text == #"{"a":1,"b":[null,true,{},[],"x"],"d":null,"e\"":"n7"}"#)
  }

  /// The writer processes eight bytes at a time, so the test uses every length and every position of an escaped character.
  @Test(arguments: [nil, "\"", "\\", "\u{0}", "\u{1F}", "\n", "é", "\u{7F}", "\u{1F600}"] as [String?])
  func `a string of any length is read as written`(odd: String?) throws {
    for length in 0...40 {
      for place in 0...length {
        let plain = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 26))) })
        let string = odd.map { plain.prefix(place) + $0 + plain.dropFirst(place) } ?? plain
        let text = try text { $0.array([string, string]) }
        #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == [string, string])
        if odd == nil { break }
      }
    }
  }

  @Test func `the buffer grows beyond its expected size`() throws {
    let strings = (0..<200).map { String(repeating: "\u{1}", count: $0) }
    let text = try text { $0.array(strings) }
    #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == strings)
  }

  @Test(arguments: [0, 1, -1, 9, 10, 99, 100, 1_234_567_890, .max, .min, .max - 1, .min + 1, 999_999_999_999_999_999])
  func `an integer is written as its digits`(integer: Int) throws {
    #expect(try text { $0.integer(integer) } == String(integer))
  }

  @Test(
    arguments: [
      (0.5, "0.5"), (-2, "-2"), (1e300, "1e+300"), (5e-1, "0.5"), (.leastNonzeroMagnitude, "5e-324"), (0.1 + 0.2, "0.30000000000000004"),
      (9_223_372_036_854_775_808, "9.223372036854776e+18"),
    ] as [(Double, String)])
  func `a number is written as the shortest text that reads the same`(number: Double, expected: String) throws {
    #expect(try text { $0.number(number) } == expected)
    #expect(Double(expected) == number)
  }

  @Test func `a number that JSON cannot represent is reported at the end`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: UnwritableNumber.notFinite) { try text { $0.array([Value.number(number), 1]) } }
    }
  }

  @Test func `an earlier part can be repeated, and raw bytes are inserted unchanged`() throws {
    let text = try text { writer in
      writer.beginArray()
      writer.integer(1)
      let start = writer.next
      writer.string("longer than the room that there is, so that all of it moves: \(String(repeating: "x", count: 80))")
      let place = start..<writer.count
      writer.again(place)
      Array("{\"a\":[]}".utf8).withUnsafeBufferPointer { writer.raw($0) }
      writer.endArray()
    }
    let read = try FoundationJSON.value(text)
    guard case .array(let elements) = read, elements.count == 4 else {
      Issue.record("\(text)")
      return
    }
    #expect(elements[1] == elements[2] && elements[3] == ["a": []])
  }

  @Test func `members are sorted by name`() throws {
    let value: Value = ["b": 1, "a": ["z": .null, "y": true], "": "x"]
    #expect(try text { value.write(to: &$0) } == #"{"":"x","a":{"y":true,"z":null},"b":1}"#)
  }
}
