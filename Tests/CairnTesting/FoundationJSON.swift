package import CairnCore
package import Foundation

/// JSON parsed by Foundation, independently of the core. Tests compare the parser and the writer of the core with it.
package struct FoundationJSON: Decodable {
  private let value: Value

  package static func value(_ data: Data) throws -> Value { try JSONDecoder().decode(FoundationJSON.self, from: data).value }

  package static func value(_ text: some StringProtocol) throws -> Value { try value(Data(text.utf8)) }

  package init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: Value] = [:]
      for name in members.allKeys { object[name.stringValue] = try members.decode(FoundationJSON.self, forKey: name).value }
      value = .object(object)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !list.isAtEnd { elements.append(try list.decode(FoundationJSON.self).value) }
      value = .array(elements)
    } else {
      value = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
    if container.decodeNil() { return .null }
    if let string = try? container.decode(String.self) { return .string(string) }
    if let integer = try? container.decode(Int.self) { return .integer(integer) }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    return .reading(try container.decode(Double.self))
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
