extension Reducer {
  /// The version of the engine's behaviour. It is raised whenever the same action may lead to another state or to other events. Each entry contains
  /// the version that created it, and entries of other versions are not run again.
  public static let engine = 3
}
