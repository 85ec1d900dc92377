/// Why bytes were not taken as JSON. The texts are for who sent them.
package enum JSONFault: Error, Hashable, Sendable {
  case notUTF8
  /// The expected or wrong part, and its position: line and column in bytes, from 1.
  case malformed(String, line: Int, column: Int)
  /// Objects and arrays inside each other, more than so many.
  case tooDeep(limit: Int)
  /// JSON Pointers of the first members that an object has twice, in order, and how many there are: readers disagree which one counts.
  case repeated([String], count: Int)
  /// Values and names of members, more than so many.
  case tooMany(limit: Int)
}
