/// The error of writing a number that JSON cannot represent.
public enum UnwritableNumber: Error, Hashable, Sendable {
  /// An infinity or a NaN.
  case notFinite
}
