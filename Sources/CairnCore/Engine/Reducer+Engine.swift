extension Reducer {
  /// The version of the engine's behavior. It is raised whenever the same action may lead to a different state or different events. Each entry stores the
  /// version that made it; entries of other versions are not replayed.
  public static let engine = 6
}
