import CairnCore

/// A step that is sent when a message ends. Whether the root flow handles it is checked when all flows have been read.
struct MessageStep {
  var step: String
  /// `then` or `else`.
  var member: String
  var position: Position
}

/// Reads the operation `submit`, which sends a message.
struct SubmissionReader: PartReader {
  let context: ReaderContext

  /// Reads `{ post, key, body, headers, bearer, timeout, retry, then, else }`. Returns `nil` after reporting an error.
  func submission(_ element: Element, in scope: Surroundings) -> Submission? {
    guard let fields = fields(of: element, "`submit`", .submission) else { return nil }
    let then = step(fields, "then", in: scope.withResult)
    let otherwise = step(fields, "else", in: scope.withError)
    let key = fields["key"].flatMap { self.key($0, in: scope) }
    guard let url = fields["post"], let request = requests.request(.post, url, fields, in: scope), let key else { return nil }
    return Submission(request, key: key, then: then, otherwise: otherwise)
  }

  private func key(_ element: Element, in scope: Surroundings) -> Expression? {
    guard let key = expressions.expression(element, in: scope.withTemplates) else { return nil }
    switch key {
    case .literal(.null), .literal(.number), .array, .object:
      report(
        "`key` must be a text or an integer that identifies the message, such as `$orderId`, not \(described(element))",
        at: element.position)
      return nil
    default: return key
    }
  }

  private func step(_ fields: Fields, _ member: String, in scope: Surroundings) -> StepTemplate? {
    guard let element = fields[member], let template = steps.step(element, in: scope) else { return nil }
    guard template.to == nil else {
      report(
        "`\(member)` of `submit` cannot have `to`: its step is sent to the node that called or, if that has been removed, to the flows around it",
        at: element.position)
      return nil
    }
    context.messageSteps.append(MessageStep(step: template.step, member: member, position: element.position))
    return template
  }

  /// Reports the steps of messages that the root flow does not handle. A message may end when the root flow is the only flow left.
  func checkSteps(in definition: Definition) {
    guard let name = definition.root.flow, let root = definition.flows[name] else { return }
    for message in context.messageSteps where root.handle[message.step] == nil && root.adapt[message.step] == nil {
      report(
        "`\(message.member)` of `submit` sends `\(message.step)`, but the root flow `\(name)` has no handler for it; the message may end "
          + "when all other flows are gone, so add a handler there", at: message.position)
    }
  }
}
