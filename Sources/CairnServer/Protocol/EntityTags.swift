package import CairnJournal

/// The value of `If-Match` or `If-None-Match` (RFC 9110, 13.1): `*`, or a list of tags.
package enum EntityTags: Equatable {
  case any
  case list([Tag])

  package struct Tag: Equatable {
    var isWeak: Bool
    var text: String
  }

  /// Parses all fields of the same name together; `nil` if a field is malformed.
  package init?(_ fields: [String]) {
    var rest = fields.joined(separator: ",")[...].drop(while: \.isBlank)
    if rest == "*" {
      self = .any
      return
    }
    var tags: [Tag] = []
    while !rest.isEmpty {
      if rest.first == "," {
        rest = rest.dropFirst().drop(while: \.isBlank)
        continue
      }
      let isWeak = rest.hasPrefix("W/")
      if isWeak { rest = rest.dropFirst(2) }
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
      tags.append(Tag(isWeak: isWeak, text: String(rest[rest.index(after: rest.startIndex)..<end])))
      rest = rest[rest.index(after: end)...].drop(while: \.isBlank)
      guard rest.isEmpty || rest.first == "," else { return nil }
    }
    guard !tags.isEmpty else { return nil }
    self = .list(tags)
  }

  /// The revisions that an action accepts; `nil` if the action accepts any revision. A bare revision such as `7` matches every entry with
  /// that number.
  ///
  /// A weak tag also matches if it has the entry's hash. RFC 9110, 13.1.1 requires a strong comparison, but the tag identifies an entry of
  /// the journal and not the bytes of a response. A proxy that compresses the response makes the tag weak.
  package var revisions: [RevisionTag]? {
    switch self {
    case .any: nil
    case .list(let tags):
      tags.compactMap { tag in RevisionTag(tag.text).flatMap { tag.isWeak && $0.mark == nil ? nil : $0 } }
    }
  }

  /// Whether a tag is the current entity tag, weak or not; `text` is `nil` if the resource does not exist. For `If-None-Match` this is the
  /// comparison of RFC 9110, 13.1.2. For `If-Match`, a weak tag matches for the reason given at `revisions`: a definition's hash identifies
  /// its text, not the bytes of a response.
  func match(_ text: String?) -> Bool {
    switch self {
    case .any: text != nil
    case .list(let tags): tags.contains { $0.text == text }
    }
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
