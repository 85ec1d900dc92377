/// A value that an expression can read.
public enum Reference: Hashable, Sendable {
  /// `$name`: a param of the step, or of the link.
  case param(String)
  /// `$content.a.b`: in the content value of the emitting (or leaving) node; `$content(list).a`: of the nearest `list`.
  /// A member `$row` stands for what the param holds.
  case content([String], of: String? = nil)
  /// `$screen.name`: a param of the screen that sends the step (or leaves), and members of its value.
  case screen([String])
  /// `$fact.name`.
  case fact(String)
  /// `$result.a.b`: what a load brought.
  case result([String])
  /// `$error.status`, `$error.reason`: why a load failed.
  case error(String)
  /// `$oauth.authorizeUrl`: the authorize URL with a fresh state; the node that carries it owns that state.
  case authorizeURL
}

extension Reference {
  /// Whether it reads the screen that sends the step, or the one that leaves.
  var isOfSpeaker: Bool {
    switch self {
    case .content, .screen: true
    case .param, .fact, .result, .error, .authorizeURL: false
    }
  }
}
