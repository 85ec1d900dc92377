/// The login status of a session. The token itself is stored outside of the state.
struct LoginBook: Hashable, Sendable {
  var login = Login(status: .loggedOut)
  /// The number of tokens that were written. It makes a new token a change of the state even if there was a token before.
  var tokenWrites = 0
  /// The value of `tokenWrites` for the token that a load's server rejected and whose rejection was reported; `nil` if there is none.
  var refusedToken: Int?

  /// Records that a token was written.
  mutating func noteToken() {
    tokenWrites += 1
    login = Login(status: .loggedIn)
  }

  /// Records that the current token was rejected. Returns `false` if that was recorded before.
  mutating func noteRefusal() -> Bool {
    guard refusedToken != tokenWrites else { return false }
    refusedToken = tokenWrites
    return true
  }
}
