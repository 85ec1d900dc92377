public import CairnCore

extension NodeID: Decodable {
  /// Reads `n7`.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = NodeID(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a node id: \(text)"))
    }
    self = id
  }
}

extension LinkID: Decodable {
  /// Reads `l3`.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = LinkID(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a link's id: \(text)"))
    }
    self = id
  }
}
