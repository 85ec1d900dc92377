import CairnCore

/// The calls that leave the machine: a bounded number at a time, the others in the order in which they were asked for. The writer's own.
struct Caller {
  private let outbound: any Outbound
  private let limit: Int
  private var running: [EffectKey: @Sendable () -> Void] = [:]
  private var waiting: [EffectKey] = []

  init(_ outbound: any Outbound, limit: Int) {
    self.outbound = outbound
    self.limit = max(1, limit)
  }

  /// Asks for a call.
  mutating func ask(_ key: EffectKey) { waiting.append(key) }

  /// The next call that may leave now.
  mutating func next() -> EffectKey? {
    guard running.count < limit, !waiting.isEmpty else { return nil }
    return waiting.removeFirst()
  }

  /// Sends it; `ended` comes once, on any thread.
  mutating func send(_ call: OutboundCall, for key: EffectKey, ended: @escaping @Sendable (OutboundResult) -> Void) {
    running[key] = outbound.send(call, reply: ended)
  }

  /// The call has ended.
  mutating func end(_ key: EffectKey) { running[key] = nil }

  /// Gives a call up, running or waiting.
  mutating func giveUp(_ key: EffectKey) {
    if let stop = running.removeValue(forKey: key) {
      stop()
    } else {
      waiting.removeAll { $0 == key }
    }
  }

  /// Gives all up; those that are committed run again after a restart.
  mutating func giveUpAll() {
    waiting = []
    for stop in running.values { stop() }
    running = [:]
  }
}
