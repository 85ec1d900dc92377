/// A number was to be written that JSON has not.
public enum UnwritableNumber: Error, Hashable, Sendable {
  /// An infinity or a NaN.
  case notFinite
}
