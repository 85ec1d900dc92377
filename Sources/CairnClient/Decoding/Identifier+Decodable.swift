public import CairnCore

extension Identifier: Decodable {
  /// Reads an id such as `n7` or `l3`.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = Self(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an id such as \(Letter.letter)1: \(text)"))
    }
    self = id
  }
}
