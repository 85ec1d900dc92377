/// A value or the name of a member, in the order of the text.
struct JSONToken {
  enum Kind: UInt8 { case object, array, string, number, yes, no, null }

  /// The offset of the first byte; of a string, that of the byte behind its quote.
  var start: UInt32
  /// The number of bytes of a string without quotes, or of a number; or the number of members or elements.
  var length: UInt32 = 0
  /// The index of the token behind this value and its contents.
  var next: UInt32
  var kind: Kind
  /// Whether it is a string of ASCII without escapes, or a number of at most 18 digits.
  var isPlain = true
}
