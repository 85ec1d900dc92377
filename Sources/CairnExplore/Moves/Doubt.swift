/// Values that an exploration does not try although a condition can distinguish them. With these values, more parts of the app may be reachable.
struct Doubt: Hashable, Sendable {
  /// The values, and the reason why they are not all tried.
  var text: String
  /// The params, facts and members for which not all comparisons were tried; empty if the doubt has another reason.
  var names: Set<String>

  init(_ text: String, names: Set<String> = []) {
    self.text = text
    self.names = names
  }
}
