import CairnCore

/// A job of the service itself, which passes an event of an effect to the writer.
final class EffectJob: Job {
  enum Event: Sendable {
    /// The tick of a timer with its number, counted from 1, or the end of the delay of a load whose value is known.
    case due(tick: Int)
    /// The end of an outgoing call.
    case ended(OutboundResult)
    /// The call could not be prepared, and must be retried.
    case again
    /// The load needs a newer access token than the one that was current when `State.tokenWrites` had the value `token`.
    case refresh(token: Int)
  }

  private let key: EffectKey
  private let event: Event

  init(_ key: EffectKey, _ event: Event) {
    self.key = key
    self.event = event
  }

  var session: String? { key.session }
  var changesSession: Bool { if case .again = event { false } else { true } }
  var isExternal: Bool { false }

  func run(on writer: Writer, in batch: inout Batch) {
    let effects = writer.effects
    switch event {
    case .due(let tick):
      effects.end(key, self, in: &batch) { [key] _, _ in Sealed(.effect(id: key.effect, .due(tick: tick))) }
    case .ended(let result):
      effects.caller.end(key, result, at: effects.parts.clock.now())
      if effects.isRepeated(key, result, in: &batch) { return }
      effects.end(key, self, in: &batch) { effect, state in effects.sealed(result, of: effect, key, state) }
    case .again: effects.ask(key)
    case .refresh(let token): effects.refresh(key, token: token, in: &batch)
    }
  }

  /// Does nothing, because no caller waits for a reply.
  func refuse(_ fault: StoreFault) {}
}
