/// A value of a YAML text with the range of its text. The range makes it possible to rewrite a part of the text and to keep the rest with
/// its comments. Offsets count Unicode scalars.
struct SourceNode: Sendable {
  var range: Range<Int>
  var content: Content

  enum Content: Sendable {
    case scalar(String)
    case list([SourceNode])
    case map([Member])
    /// An alias, whose value is written at its anchor.
    case alias
  }

  struct Member: Sendable {
    var key: SourceNode
    var value: SourceNode

    var name: String { key.text ?? "" }
    var range: Range<Int> { key.range.lowerBound..<value.range.upperBound }
  }

  var text: String? { if case .scalar(let text) = content { text } else { nil } }
  var list: [SourceNode]? { if case .list(let elements) = content { elements } else { nil } }
  var members: [Member]? { if case .map(let members) = content { members } else { nil } }

  func member(_ name: String) -> Member? { members?.first { $0.name == name } }
}
