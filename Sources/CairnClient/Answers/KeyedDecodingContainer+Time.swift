import CairnAPI
import Foundation

extension KeyedDecodingContainer {
  /// Reads a time as the API writes it. The synthesized initializers of responses call this method, because it is more specific than the
  /// generic `decode`. Throws if the text is not a time.
  func decode(_: Date.Type, forKey key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a time: \(text)")
    }
    return Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
  }

  /// Reads a time, or returns `nil` if it is missing or `null`.
  func decodeIfPresent(_ type: Date.Type, forKey key: Key) throws -> Date? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decode(type, forKey: key)
  }

  /// Reads an array, and skips elements that cannot be read, because a newer service may send types that this client does not know.
  func readable<Element: Decodable>(_ key: Key, _ type: Element.Type = Element.self) throws -> [Element] {
    try (decodeIfPresent([Readable<Element>].self, forKey: key) ?? []).compactMap(\.element)
  }
}

private struct Readable<Element: Decodable>: Decodable {
  let element: Element?

  init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
}
