import CairnCore

/// Makes outgoing calls, in fair turns and within limits. Used by the writer's thread only.
struct Caller {
  private let outbound: any Outbound
  private var queue: CallQueue
  private var stops: [EffectKey: @Sendable () -> Void] = [:]
  /// The breakers of upstreams whose last call ended without a response.
  private var breakers: [CallPlace.Upstream: Breaker] = [:]
  private var hasNews = false

  /// The maximum number of breakers. It is bounded because some definitions let clients choose hosts. Upstreams beyond this number are
  /// never paused.
  private static let mostBreakers = 1_000

  init(_ outbound: any Outbound, limit: Int) {
    self.outbound = outbound
    queue = CallQueue(CallQueue.Limits(all: limit))
  }

  /// Returns the numbers of running and waiting calls per app, and the number of paused upstreams; `nil` if nothing has changed since the
  /// last call of this function.
  mutating func takeNews() -> (counts: CallCounts, resting: Int)? {
    guard hasNews else { return nil }
    hasNews = false
    return (queue.counts, breakers.values.count { $0.isOpen })
  }

  /// The calls that were sent and have not ended.
  var running: [EffectKey] { Array(stops.keys) }

  /// Queues the call of an effect.
  mutating func ask(_ key: EffectKey, at place: CallPlace) {
    hasNews = true
    queue.add(key, at: place)
  }

  /// Returns the next call within the limits; `nil` if no waiting call may be sent. The returned call occupies a slot until `end`.
  mutating func next() -> EffectKey? {
    guard let key = queue.next() else { return nil }
    hasNews = true
    return key
  }

  /// The milliseconds until the breaker of the call's upstream allows it; `nil` if the call may be sent now. `time` is in milliseconds
  /// since 1970.
  mutating func rest(of key: EffectKey, at time: Int) -> Int? {
    guard let upstream = queue.place(of: key)?.upstream else { return nil }
    return breakers[upstream]?.wait(at: time)
  }

  /// Sends a call. `ended` is called once, on any thread.
  mutating func send(_ call: OutboundCall, for key: EffectKey, ended: @escaping @Sendable (OutboundResult) -> Void) {
    stops[key] = outbound.send(call) { ended($0.completed(for: call)) }
  }

  /// Frees the slot of a call. `result` is the outcome if the call was sent; `time` is in milliseconds since 1970.
  mutating func end(_ key: EffectKey, _ result: OutboundResult? = nil, at time: Int = 0) {
    if let result, stops[key] != nil, let upstream = queue.place(of: key)?.upstream { count(result, of: upstream, at: time) }
    stops[key] = nil
    if queue.end(key) { hasNews = true }
  }

  /// Cancels a running or waiting call.
  mutating func giveUp(_ key: EffectKey) {
    stops.removeValue(forKey: key)?()
    if queue.end(key) { hasNews = true }
  }

  /// Cancels all calls. Calls of committed effects are made again after a restart.
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
