import CairnCore
import CairnDefinition
import Testing

@Suite struct ScalarTests {
  /// A value of any kind, as parsed from a file.
  private func value(_ text: String) throws -> Value? {
    let whole =
      "app: x\nlanguage: 1\nroot: { flow: f }\nscreens: { s: { meta: { v: \(text) } } }\nflows: { f: { stack: s } }\n"
    return try definition(whole).screens["s"]?.meta?["v"]
  }

  @Test(
    arguments: [
      ("null", .null), ("~", .null), ("", .null), ("Null", .null), ("true", true), ("True", true), ("FALSE", false), ("0", 0),
      ("-12", -12),
      ("+5", 5), ("007", 7), ("0o17", 15), ("0x1F", 31), ("1.5", .number(1.5)), (".5", .number(0.5)), ("1.", .integer(1)),
      ("1e3", .integer(1000)),
      ("-2.5E-1", .number(-0.25)),
    ] as [(String, Value)]) func `a plain scalar of the core schema has its type`(text: String, expected: Value) throws
  {
    #expect(try value(text) == expected)
  }

  @Test(arguments: [
    "on", "off", "yes", "no", "Yes", "ON", "y", "tRUE", "nULL", "1_000", "0b11", "12:30:45", "2001-01-01", "1.2.3", "+", "-a",
    ".", "e3", "0o8", "0xg",
    "1e", "<<",
  ]) func `a plain scalar outside the core schema is a string`(text: String) throws {
    #expect(try value(text) == .string(text))
  }

  @Test(arguments: ["\"true\"", "'true'", "!!str true"]) func `a quoted scalar is a string`(text: String) throws {
    #expect(try value(text) == "true")
  }

  @Test func `a number that JSON cannot represent is rejected`() {
    func told(_ text: String) -> [String] { complaints(Demo.text("  main: { stack: [], meta: \(text) }")) }
    #expect(told(".inf") == ["19:28: must be a finite number, because JSON has no other numbers; quote it if it is a string"])
    #expect(told("-.INF") == ["19:28: must be a finite number, because JSON has no other numbers; quote it if it is a string"])
    #expect(told(".nan") == ["19:28: must be a finite number, because JSON has no other numbers; quote it if it is a string"])
    #expect(told("9223372036854775808") == ["19:28: this number is too large; quote it if it is a string"])
    #expect(told("1e999") == ["19:28: this number is too large; quote it if it is a string"])
    #expect(told("!!binary aGk=") == ["19:28: the tag `tag:yaml.org,2002:binary` is not supported; remove it"])
  }
}
