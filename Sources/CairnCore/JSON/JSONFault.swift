/// The reason why bytes were rejected as JSON. The texts are for the client that sent them.
package enum JSONFault: Error, Hashable, Sendable {
  case notUTF8
  /// The expected or wrong part, and its line and column in bytes, from 1.
  case malformed(String, line: Int, column: Int)
  /// Objects and arrays are nested more than `limit` deep.
  case tooDeep(limit: Int)
  /// The JSON Pointers of the first repeated members, in order, and their number. Repeated members are rejected, because parsers disagree on which
  /// one counts.
  case repeated([String], count: Int)
  /// There are more than `limit` values and names.
  case tooMany(limit: Int)
}
