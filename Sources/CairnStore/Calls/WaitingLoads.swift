/// The loads that wait for a refresh of their session's access token. Each is stored with the value of `State.tokenWrites` that identifies
/// the expired token. Used by the writer's thread only.
struct WaitingLoads {
  private var loads: [EffectKey: (token: Int, isCommitted: Bool)] = [:]

  var isEmpty: Bool { loads.isEmpty }

  func contains(_ key: EffectKey) -> Bool { loads[key] != nil }

  /// Whether a load waits for a refresh that was committed.
  func isCommitted(_ key: EffectKey) -> Bool { loads[key]?.isCommitted ?? false }

  /// Records that a load waits for a refresh. `isCommitted` is whether the refresh has been committed; if not, `commit` sets it later.
  mutating func add(_ key: EffectKey, token: Int, isCommitted: Bool = false) { loads[key] = (token, isCommitted) }

  mutating func remove(_ key: EffectKey) { loads[key] = nil }

  /// Records that a commit of a session has succeeded. Returns the waiting loads of the session, each with the number of its expired token.
  mutating func commit(_ session: String) -> [(key: EffectKey, token: Int)] {
    var found: [(key: EffectKey, token: Int)] = []
    for (key, load) in loads where key.session == session {
      loads[key]?.isCommitted = true
      found.append((key, load.token))
    }
    return found
  }
}
