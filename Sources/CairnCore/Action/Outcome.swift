public enum Outcome: String, Hashable, Sendable, Codable {
  case performed, unchanged, pending
}
