/// The identity of a node: `n` and a number that is never used again in its session.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int

  public init(_ number: Int) { self.number = number }

  /// Reads `n7`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.first == "n", let number = Int(text.dropFirst()), number > 0, text.dropFirst().first != "+" else { return nil }
    self.number = number
  }

  public var description: String { "n\(number)" }

  public static func < (left: NodeID, right: NodeID) -> Bool { left.number < right.number }
}

extension NodeID: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = NodeID(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a node id: \(text)"))
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension NodeID: CodingKeyRepresentable {
  public var codingKey: any CodingKey { Key(stringValue: description) }

  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
