/// One value, or one member's name, in the order of the text.
struct JSONToken {
  enum Kind: UInt8 { case object, array, string, number, yes, no, null }

  /// The first byte; of a string the one behind its quote.
  var start: UInt32
  /// Bytes of a string without its quotes, or of a number; how many members or elements are in an object or array.
  var length: UInt32 = 0
  /// The token behind this value and all that is in it.
  var next: UInt32
  var kind: Kind
  /// Whether it is a string of ASCII without escapes, or a number of at most 18 digits.
  var isPlain = true
}
