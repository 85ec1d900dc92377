import CairnAPI
import Foundation

extension KeyedDecodingContainer {
  /// A time as the API writes it; nil: it is not there.
  func time(_ key: Key) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no time: \(text)")
    }
    return Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
  }

  /// Those elements that can be read: of what a newer service says more of, the rest is passed over.
  func readable<Element: Decodable>(_ key: Key, _ type: Element.Type = Element.self) throws -> [Element] {
    try (decodeIfPresent([Readable<Element>].self, forKey: key) ?? []).compactMap(\.element)
  }
}

private struct Readable<Element: Decodable>: Decodable {
  let element: Element?

  init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
}
