extension Reducer {
  /// The number of this engine's behaviour, raised whenever the same action may lead to another state or other events than before.
  /// An entry says which engine made it; what another one made is not run again.
  public static let engine = 3
}
