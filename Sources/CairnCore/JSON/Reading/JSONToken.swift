/// One value or member name, in the order of the text.
struct JSONToken {
  enum Kind: UInt8 { case object, array, string, number, yes, no, null }

  /// The offset of the first byte. For a string, the offset after its opening quote.
  var start: UInt32
  /// The number of bytes of a string without its quotes, or of a number. For an object or array, the number of members or elements.
  var length: UInt32 = 0
  /// The index of the token after this value and its contents.
  var next: UInt32
  var kind: Kind
  /// Whether the token is an ASCII string without escapes, or an integer of at most 18 characters.
  var isPlain = true
}
