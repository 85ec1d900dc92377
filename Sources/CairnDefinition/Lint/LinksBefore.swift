import CairnCore

/// The links before one, by what they take; so that thousands of links are looked through in the time of as many.
struct LinksBefore {
  /// Where captures stand in a path. There are few of these, however many links.
  private typealias Mask = [Bool]

  /// A path at an origin; nil: a capture.
  private struct Pattern: Hashable {
    let origin: String
    let path: [String?]
  }

  private var masks: [Int: Set<Mask>] = [:]
  private var first: [Pattern: Int] = [:]

  /// The first link that takes every URL that this path takes at an origin.
  func taker(of path: [LinkDefinition.Segment], at origin: String) -> Int? {
    masks[path.count, default: []].compactMap { mask in
      let masked: [String?] = zip(path, mask).map { segment, isCapture in isCapture ? nil : segment.literal }
      // What is fixed there and a capture here does not take all that this takes.
      guard zip(path, mask).allSatisfy({ segment, isCapture in isCapture || segment.literal != nil }) else { return nil }
      return first[Pattern(origin: origin, path: masked)]
    }.min()
  }

  mutating func add(_ index: Int, path: [LinkDefinition.Segment], at origin: String) {
    masks[path.count, default: []].insert(path.map { $0.literal == nil })
    let pattern = Pattern(origin: origin, path: path.map(\.literal))
    if first[pattern] == nil { first[pattern] = index }
  }
}

extension LinkDefinition.Segment {
  /// The text of a fixed segment; nil: a capture.
  fileprivate var literal: String? {
    if case .literal(let text) = self { text } else { nil }
  }
}
