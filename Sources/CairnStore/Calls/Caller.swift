import CairnCore

/// The calls that leave the machine, in fair turns within bounds. The writer's own.
struct Caller {
  private let outbound: any Outbound
  private var queue: CallQueue
  private var stops: [EffectKey: @Sendable () -> Void] = [:]
  /// Of upstreams whose last call failed.
  private var breakers: [CallPlace.Upstream: Breaker] = [:]
  private var hasNews = false

  /// Upstreams whose failures are counted at once. Clients may choose hosts where a definition lets them.
  private static let mostBreakers = 1_000

  init(_ outbound: any Outbound, limit: Int) {
    self.outbound = outbound
    queue = CallQueue(CallQueue.Limits(all: limit))
  }

  /// Calls with a slot and calls that wait, per app, and how many upstreams rest; `nil`: nothing changed since this was asked last.
  mutating func takeNews() -> (counts: CallCounts, resting: Int)? {
    guard hasNews else { return nil }
    hasNews = false
    return (queue.counts, breakers.values.count { $0.isOpen })
  }

  /// Asks for a call.
  mutating func ask(_ key: EffectKey, at place: CallPlace) {
    hasNews = true
    queue.add(key, at: place)
  }

  /// The next call that may leave now. It has a slot until `end`.
  mutating func next() -> EffectKey? {
    guard let key = queue.next() else { return nil }
    hasNews = true
    return key
  }

  /// Milliseconds for which the upstream of a call with a slot rests; `nil`: the call may leave.
  mutating func rest(of key: EffectKey, at time: Int) -> Int? {
    guard let upstream = queue.place(of: key)?.upstream else { return nil }
    return breakers[upstream]?.wait(at: time)
  }

  /// Sends it; `ended` comes once, on any thread.
  mutating func send(_ call: OutboundCall, for key: EffectKey, ended: @escaping @Sendable (OutboundResult) -> Void) {
    stops[key] = outbound.send(call, reply: ended)
  }

  /// The call has ended, or has not left. `result`: what came of it, at a time in milliseconds since 1970.
  mutating func end(_ key: EffectKey, _ result: OutboundResult? = nil, at time: Int = 0) {
    if let result, stops[key] != nil, let upstream = queue.place(of: key)?.upstream { count(result, of: upstream, at: time) }
    stops[key] = nil
    if queue.end(key) { hasNews = true }
  }

  /// Gives a call up, running or waiting.
  mutating func giveUp(_ key: EffectKey) {
    stops.removeValue(forKey: key)?()
    if queue.end(key) { hasNews = true }
  }

  /// Gives all up; those that are committed run again after a restart.
  mutating func giveUpAll() {
    for stop in stops.values { stop() }
    stops = [:]
  }

  private mutating func count(_ result: OutboundResult, of upstream: CallPlace.Upstream, at time: Int) {
    guard upstream.host != OutboundCall.noHost, result.isWithoutResponse else {
      breakers[upstream] = nil
      return
    }
    guard breakers.count < Self.mostBreakers || breakers[upstream] != nil else { return }
    breakers[upstream, default: Breaker()].fail(at: time)
  }
}
