import CairnCore
import Foundation

/// The JSON of a response. It is parsed by Foundation's decoder, which accepts input that the core's reader rejects, such as a member that
/// occurs twice.
struct ReceivedValue: Decodable {
  private let value: Value

  /// Parses a response body. Throws if it is not JSON. A lone surrogate becomes U+FFFD, as in request bodies.
  static func read(_ body: [UInt8]) throws -> Value {
    try JSONDecoder().decode(ReceivedValue.self, from: Data(JSONEscape.withoutLoneSurrogates(body))).value
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: Value] = [:]
      for name in members.allKeys { object[name.stringValue] = try members.decode(ReceivedValue.self, forKey: name).value }
      value = .object(object)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !list.isAtEnd { elements.append(try list.decode(ReceivedValue.self).value) }
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
