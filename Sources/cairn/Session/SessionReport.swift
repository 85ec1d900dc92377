import CairnAPI
import CairnClient
import CairnCore
import Foundation

/// The output of the session commands on stdout and stderr.
struct SessionReport {
  let isJSON: Bool
  var style = DrawingStyle.current()

  init(_ options: SessionOptions) { isJSON = options.json }

  /// Returns JSON as text, with a line per member if `isPretty` is set.
  static func text(_ json: Value, isPretty: Bool = true) -> String {
    // A value that was parsed from JSON can be written as JSON.
    guard let bytes = try? JSONText.bytes(json, pretty: isPretty) else { return "null" }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Prints a line on stdout.
  func print(_ line: StyledLine) { Terminal.print(line.text(style)) }

  /// Prints the outcome of an action.
  func show(_ answer: ActionAnswer) {
    guard !isJSON else { return Terminal.print(Self.text(answer.json)) }
    var line = StyledLine(
      (answer.isPlan ? "would be " : "") + answer.outcome.rawValue, answer.outcome == .performed ? .green : .yellow)
    if let reason = answer.reason { line.add(" (\(reason))") }
    if let link = answer.heldLink { line.add(", held as \(link)") }
    line.add(", revision \(answer.revision)")
    let changes = ChangeText(answer.tree).text(answer.changes)
    if !changes.isEmpty { line.add(": \(changes)") }
    print(line)
    for event in answer.events where event.type == .dropped {
      print(StyledLine("dropped: \(event.step ?? "a step")" + (event.reason.map { " (\($0))" } ?? ""), .yellow))
    }
    if let stack = answer.stack { print(at(stack)) }
  }

  /// Prints the outcomes of an array of actions.
  func show(_ answer: ActionsAnswer) {
    guard !isJSON else { return Terminal.print(Self.text(answer.json)) }
    for single in answer.answers { show(single) }
    print(at(answer.stack))
  }

  private func at(_ stack: [RouteEntry]) -> StyledLine {
    StyledLine("at: " + SessionText(isUnicode: style.isUnicode, now: Date()).route(stack))
  }

  /// Draws a session, or prints its JSON.
  func show(_ session: SessionView) {
    guard !isJSON else { return Terminal.print(Self.text(session.json)) }
    for line in SessionDrawing(session, isUnicode: style.isUnicode, now: session.now ?? Date()).lines { print(line) }
  }

  /// Prints an error on stderr. `address` is the address of the service.
  func complain(_ error: ClientError, of address: String) {
    let text =
      switch error {
      case .unreachable(let reason): "the service at \(address) does not respond: \(reason); start it, or set another URL with --url"
      case .timeout: "the service at \(address) did not respond in time; a posted action may still have been performed"
      case .refused, .malformed, .unsendable, .cancelled: error.text
      }
    var lines = [StyledLine("cairn: " + text, .red)]
    if let problem = error.problem {
      lines = [StyledLine("\(problem.isRefusal ? "refused" : "cairn"): \(problem.code): \(problem.detail)")]
      if let index = problem.index { lines[0].add(" (action \(index), from 0, of the array)") }
      lines += problem.errors.map { error in
        let place = error.line.map { "\($0):\(error.column ?? 1)" } ?? error.pointer ?? error.parameter.map { "?\($0)" }
        return StyledLine("  " + [place, error.detail].compactMap(\.self).joined(separator: ": "))
      }
      if problem.isDenial, problem.status != 404 {
        lines.append(
          StyledLine("  credentials of this command: --secret or CAIRN_SECRET of the session, --key or CAIRN_OPERATOR_KEY of an operator"))
      }
      if let accepts = problem.accepts { lines.append(StyledLine("  accepted now: \(SessionText.text(accepts))")) }
    }
    var plain = style
    (plain.hasColour, plain.width) = (false, nil)
    for line in lines { Terminal.complain(line.text(plain)) }
  }
}
