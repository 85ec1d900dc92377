/// How a session stands with its token, whose value is elsewhere.
struct LoginBook: Hashable, Sendable {
  var login = Login(status: .loggedOut)
  /// How often a token was written: a new token is a change even if there was one.
  var tokenWrites = 0
  /// The token, by the number of its writing, of which a load was answered that it is not good, and for which that was said; nil: none.
  var refusedToken: Int?

  /// A token was written.
  mutating func noteToken() {
    tokenWrites += 1
    login = Login(status: .loggedIn)
  }

  /// Notes that the token was rejected; returns false if that was noted already.
  mutating func noteRefusal() -> Bool {
    guard refusedToken != tokenWrites else { return false }
    refusedToken = tokenWrites
    return true
  }
}
