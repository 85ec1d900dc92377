import CairnCore

/// One thing that can happen to a session.
struct Move: Sendable {
  var deed: Deed
  /// As a scenario file says it: one thing, or several in order.
  var words: [String]

  init(deed: Deed, words: String...) {
    self.deed = deed
    self.words = words
  }

  /// The action of a move.
  enum Deed: Sendable {
    case action(Action)
    /// A token arrives from outside.
    case token
    /// A URL is opened: that of a link by its place in the definition, or another.
    case open(String, link: Int?)
    /// The login page's redirect, with the state of the page that is open.
    case redirect(String)
    /// The clock goes on by milliseconds, so many times.
    case advance(Int, times: Int)
    /// A request of a load ends, or a token call.
    case end(Effect.ID, Action.Completion)
  }

  /// In one line.
  var inLine: String { words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]" }

  /// The origin of a move.
  enum Maker: UInt8, Sendable {
    /// The user: steps and gestures.
    case user
    /// The clock, and the responses to requests.
    case nature
    /// Logging in and out.
    case login
    /// Links and notifications.
    case outside
    /// The client's reports about the app and the device; no user is involved.
    case device
  }

  var maker: Maker {
    switch deed {
    case .action(.logout), .token, .redirect: .login
    case .action(.notification), .open: .outside
    case .action(.appState), .action(.facts): .device
    case .action: .user
    case .advance, .end: .nature
    }
  }
}
