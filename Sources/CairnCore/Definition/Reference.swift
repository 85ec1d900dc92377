/// A value to which an expression can refer.
public enum Reference: Hashable, Sendable {
  /// `$name`: a param of the step, or of the link.
  case param(String)
  /// `$content.a.b`: a part of the content of the emitting (or leaving) node. `$content(list).a`: a part of the content of the nearest `list`. A
  /// member `$row` stands for the value of that param.
  case content([String], of: String? = nil)
  /// `$screen.name`: a param of the screen that sends the step (or leaves), or a member of its value.
  case screen([String])
  /// `$fact.name`.
  case fact(String)
  /// `$result.a.b`: the value of a load.
  case result([String])
  /// `$error.status`, `$error.reason`: the reason why a load failed.
  case error(String)
  /// `$oauth.authorizeUrl`: the authorize URL with a new state, which belongs to the node that contains the URL.
  case authorizeURL
}

extension Reference {
  /// Whether the reference uses the screen that sends the step or leaves.
  var isOfSpeaker: Bool {
    switch self {
    case .content, .screen: true
    case .param, .fact, .result, .error, .authorizeURL: false
    }
  }
}
