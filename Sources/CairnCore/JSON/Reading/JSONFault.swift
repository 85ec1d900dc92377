/// The reason why bytes were rejected as JSON. The texts are shown to the sender.
package enum JSONFault: Error, Hashable, Sendable {
  case notUTF8
  /// The expected or invalid part, and its line and column in bytes, counted from 1.
  case malformed(String, line: Int, column: Int)
  /// Objects and arrays are nested more than `limit` levels deep.
  case tooDeep(limit: Int)
  /// The JSON Pointers of the first members with a repeated name, in order, and the number of all such members. JSON parsers disagree about which of the
  /// members is valid.
  case repeated([String], count: Int)
  /// The text contains more than `limit` values and member names.
  case tooMany(limit: Int)
}
