public enum Outcome: String, Hashable, Sendable {
  case performed, unchanged, pending
}
