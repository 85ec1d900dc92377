/// A number that JSON cannot represent was to be written.
public enum UnwritableNumber: Error, Hashable, Sendable {
  /// An infinity or a NaN.
  case notFinite
}
