import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

extension CreationEndpoints {
  /// Creates a session in the state at the end of a scenario. The scenario is played before anything is stored.
  func begin(at scenario: Value, _ served: PinnedDefinition, _ request: CreationRequest, _ call: Call) throws(Rejection) {
    let identity = try once.identity(of: call)
    try definitions.withDefinition(for: request.label, identity.id, served, call) { definition throws(Rejection) in
      self.begin(at: scenario, definition, identity, request, call)
    }
  }

  private func begin(
    at scenario: Value, _ definition: PinnedDefinition, _ identity: (id: String, secret: String, print: Fingerprint?),
    _ request: CreationRequest, _ call: Call
  ) {
    let play = play
    let time = request.clockStart ?? store.clock.now()
    store.compute("scenario", while: call.isWanted) {
      Result { () throws(ScenarioEnd.Fault) in try play(scenario, definition, time) }
    } reply: { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(.failure(let fault)):
        let items = fault.items.prefix(Faults.limit).map { Problem.Item($0.detail, pointer: "#/scenario\($0.pointer)") }
        call.reject(Rejection(.invalidScenario, "the scenario cannot be run to its end; no session was started", errors: items))
      case .success(.success(let end)):
        let new = NewSession(
          id: identity.id, definition: definition, label: request.label, secretHash: Identity.hash(identity.secret),
          start: .state(end.state, .scenario(name: end.name), secrets: end.secrets), origin: call.origin)
        self.start.run(new, print: identity.print, secret: identity.secret, call)
      }
    }
  }
}
