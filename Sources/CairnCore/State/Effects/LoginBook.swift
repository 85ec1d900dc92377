/// The state of a session's login. The token itself is stored encrypted beside the journal.
struct LoginBook: Hashable, Sendable {
  var login = Login(status: .loggedOut)
  /// The number of times that a token was written. A new token counts as a change even if it replaces another one.
  var tokenWrites = 0
  /// The value of `tokenWrites` for the token whose rejection was reported last; `nil` if there is none. The response to a load or a
  /// refresh may reject a token. The rejection of each token is reported once.
  var refusedToken: Int?

  /// Records that a token was written, so that the session is logged in.
  mutating func noteToken() {
    tokenWrites += 1
    login = Login(status: .loggedIn)
  }

  /// Records that the token was rejected. Returns false if the rejection was already recorded.
  mutating func noteRefusal() -> Bool {
    guard refusedToken != tokenWrites else { return false }
    refusedToken = tokenWrites
    return true
  }
}
