import CairnAPI
import CairnCore

/// Works from the bytes of a request's body to those of the response: what the service does without HTTP and the journal.
let jsonWorks: [Work] = [
  answered("JSON in, the whole answer out, a stack of 1", screens: 1),
  answered("JSON in, the whole answer out, a stack of 21", screens: 21),
  answered("JSON in, return=minimal out, a stack of 1", screens: 1, isMinimal: true),
]

private func answered(_ name: String, screens: Int, isMinimal: Bool = false) -> Work {
  Work(name: name, actions: 2) {
    var (reducer, state) = try shop(screens)
    let bodies = [#"{"step":"productIsPicked","params":{"productId":7}}"#, #"{"type":"pop"}"#].map { Array($0.utf8) }
    return {
      for body in bodies {
        let request = try JSONBody.read(body) { element throws(BodyFault) in try ActionRequest(element, byOperator: false) }
        let sealed = try reducer.seal(request.commands[0], for: state)
        let transition = try reducer.reduce(&state, sealed.action, stamp: stamp)
        _ = try JSONText.bytes(ActionBody(transition, revision: state.revision, seen: Seen(state, reducer, isMinimal: isMinimal)))
      }
    }
  }
}
