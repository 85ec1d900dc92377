package import CairnCore
package import CairnJournal

extension Store {
  /// The predictions of the accepted gestures and of the accepted steps without params, in the order of `accepts`, at most
  /// `Prediction.limit`. Actions that would be refused or open an authorization page are omitted. All actions together, including the
  /// refused ones, share the bounds of one request. Runs on the calling thread, which must be a reader's thread, because the call may take
  /// as long as the longest request.
  package func predictions(from basis: PredictionBasis) -> [Prediction] {
    let (state, reducer, now) = (basis.state, basis.reducer, parts.clock.now())
    var meter = Meter(parts.limits.bounds)
    var predictions: [Prediction] = []
    for action in reducer.predictable(in: state) {
      guard predictions.count < Prediction.limit, !meter.isUsedUp else { break }
      do throws(Refusal) {
        let stamp = basis.stamp(now, parts.nonce())
        guard let transition = try reducer.prediction(of: action, in: state, stamp: stamp, meter: &meter) else { continue }
        predictions.append(Prediction(action: action, result: .success(transition)))
      } catch {
        // A refused action has no prediction.
      }
    }
    return predictions
  }

  /// Predicts each of the actions from the current state, without storing or starting anything. The predictions are based on the newest committed session,
  /// and the call is queued like `plan`. All actions together share the bounds of one request. `isWanted` is called on any thread.
  package func predict(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, to session: String, matching: [RevisionTag]? = nil,
    while isWanted: @escaping @Sendable () -> Bool = { true }, reply: @escaping @Sendable (Result<Predictions, StoreFault>) -> Void
  ) {
    let read = SingleRead { parts throws(StoreFault) in
      let session = try parts.existing(session)
      let staged = Staged(session, parts.hashKey)
      try staged.check(matching)
      var meter = Meter(parts.limits.bounds)
      return Predictions(session: session, all: commands.map { staged.predicted($0, made, parts, &meter) })
    }
    if let fault = readers.offer(read, .past, session, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }
}

extension Staged {
  /// Predicts one command. Does not change the session.
  fileprivate func predicted(_ command: Command, _ made: ClientDefinition?, _ parts: StoreParts, _ meter: inout Meter) -> Prediction {
    var action: Action?
    do throws(StoreFault) {
      try authorize([command], from: made)
      let command = try opened(try mapped([command], from: made, parts), parts, meter: &meter).first ?? command
      guard !meter.isUsedUp else { throw StoreFault.refused(meter.refusal, index: 0, revision: session.state.revision) }
      let transition = try transition(of: command, parts, &meter, &action)
      return Prediction(action: action, result: .success(transition))
    } catch {
      return Prediction(action: action, result: .failure(error))
    }
  }

  /// Runs a command on a copy of the state. Sets `action` to the command's action without secrets; leaves it `nil` for an advance.
  private func transition(
    of command: Command, _ parts: StoreParts, _ meter: inout Meter, _ action: inout Action?
  ) throws(StoreFault) -> Transition {
    let (reducer, nonce) = (session.definition.reducer, parts.nonce())
    var state = session.state
    do throws(Refusal) {
      if case .advance(let milliseconds) = command {
        return try reducer.advance(&state, by: milliseconds, nonce: nonce, meter: &meter) { _, _, _ in }
      }
      let sealed = try reducer.seal(command, for: state)
      action = sealed.action
      return try reducer.reduce(&state, sealed.action, stamp: session.stamp(parts.clock.now(), nonce), meter: &meter)
    } catch {
      throw .refused(error, index: 0, revision: session.state.revision)
    }
  }
}
