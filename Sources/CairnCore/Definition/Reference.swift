/// A value that an expression can read.
public enum Reference: Hashable, Sendable {
  /// `$name`: a param of the step or link.
  case param(String)
  /// `$content.a.b`: a path in the content of the emitting (or removed) node. `$content(list).a`: a path in the content of the nearest
  /// `list`. `$content(list, id: 1).a`: a path in the content of the nearest `list` with these params. In a path, the member `$row` stands
  /// for the value of the param `row`; `$screen.row` and `$flow.row` stand for params of the sending screen and of the flow.
  case content([String], of: Place? = nil)
  /// `$screen.name`: a param of the screen that sends the step or is removed, and members of its value.
  case screen([String])
  /// `$fact.name`: the value of a fact of the session.
  case fact(String)
  /// `$fact.name`: the value of a fact of the flow that handles the step, or of the nearest flow around it that has the fact.
  case flowFact(String)
  /// `$flow.name`: a param of the flow that handles the step, and members of its value.
  case flow([String])
  /// `$result.a.b`: a path in the result of a load, a message or a flow.
  case result([String])
  /// `$error.status`, `$error.reason`: the reason why a load or message failed.
  case error(String)
  /// `$oauth.authorizeUrl`: the authorize URL with a new OAuth state, which belongs to the node that has the URL in its params or content.
  case authorizeURL
  /// `$seen.first`: whether the user sees the node for the first time.
  case isFirstSight
}

extension Reference {
  /// Parses a member of a path into content: `$row`, `$screen.row` or `$flow.row`.
  public init(member: String) {
    // UTF-8 is compared: without the Unicode rules for characters, the engine of clients is smaller.
    let name = member.utf8.dropFirst()
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else {
      self = .param(String(Substring(name)))
      return
    }
    let path = [String(Substring(name[name.index(after: dot)...]))]
    self = name.first == UInt8(ascii: "f") ? .flow(path) : .screen(path)
  }

  /// The reference itself, and the references in the params of its place.
  var all: [Reference] {
    guard case .content(_, let place?) = self else { return [self] }
    return [self] + place.expressions.flatMap { $0.references }
  }

  /// Whether the reference reads the node that sends the step or is removed.
  var isOfSpeaker: Bool {
    switch self {
    case .content, .screen: true
    case .param, .fact, .flowFact, .flow, .result, .error, .authorizeURL, .isFirstSight: false
    }
  }

  /// Whether the reference reads the step, link or response that creates a node.
  var isOfStep: Bool {
    switch self {
    case .param, .result, .error: true
    case .content, .screen, .fact, .flowFact, .flow, .authorizeURL, .isFirstSight: false
    }
  }
}
