import CairnCore

/// An event that can happen to a session, such as a step or the end of a load.
struct Move: Sendable {
  var deed: Deed
  /// The move in a scenario file: one entry, or several in order.
  var words: [String]

  init(deed: Deed, words: String...) {
    self.deed = deed
    self.words = words
  }

  /// The event of a move.
  enum Deed: Sendable {
    case action(Action)
    /// A token is set from outside.
    case token
    /// A URL is opened. `link` is the index of the link that accepts the URL; `nil` if no link accepts it, or if the URL was made for
    /// another link.
    case open(String, link: Int?)
    /// The login page redirects. The OAuth state of the open page is appended to the URL.
    case redirect(String)
    /// The clock advances `times` times by a number of milliseconds.
    case advance(Int, times: Int)
    /// A load, a message or a token call ends.
    case end(Effect.ID, Action.Completion)
  }

  /// The move as one line of a scenario file.
  var inLine: String { words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]" }

  /// The origin of a move. It determines whether the move counts as progress.
  enum Maker: UInt8, Sendable {
    /// The user: steps and gestures.
    case user
    /// The clock, and the responses to requests.
    case nature
    /// Logging in and out.
    case login
    /// Links, notifications, and the gesture that closes an overlay. No page needs to offer such a move.
    case outside
    /// The client's reports about the app and the device; no user is involved.
    case device
  }

  var maker: Maker {
    switch deed {
    case .action(.logout), .token, .redirect: .login
    case .action(.notification), .action(.gesture(.dismiss(node: .some), _)), .open: .outside
    case .action(.appState), .action(.facts): .device
    case .action: .user
    case .advance, .end: .nature
    }
  }
}
