/// Counts with their nouns, for messages.
package enum CountText {
  /// Returns the number and the noun, such as `1 session` or `2 sessions`. `plural` is the plural of a noun that does not form it with an s.
  package static func of(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
