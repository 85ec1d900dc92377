/// The problems that have been found in one document.
final class Problems {
  private var findings: [Finding] = []
  private var unknownNames: [UnknownName: Int] = [:]

  private struct Finding {
    var severity: Diagnostic.Severity
    var position: Position
    var message: String
    /// The positions at which the same unknown name occurs again.
    var further: [Position] = []
  }

  private struct UnknownName: Hashable {
    var kind: NameKind
    var name: String
  }

  func report(_ message: String, at position: Position, severity: Diagnostic.Severity) {
    findings.append(Finding(severity: severity, position: position, message: message))
  }

  /// Adds an unknown name. All occurrences in the file are one error, whose message is built only once.
  func reportUnknown(_ kind: NameKind, _ name: String, at position: Position, _ message: () -> String) {
    let unknown = UnknownName(kind: kind, name: name)
    if let index = unknownNames[unknown] {
      findings[index].further.append(position)
    } else {
      unknownNames[unknown] = findings.count
      report(message(), at: position, severity: .error)
    }
  }

  var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// The diagnostics, sorted by position.
  func diagnostics(file: String) -> [Diagnostic] {
    findings.map { problem in
      let places = [problem.position] + problem.further
      let first = places.min() ?? problem.position
      let others = places.filter { $0 != first }.sorted().map { $0.text(besides: first) }
      let also = others.isEmpty ? "" : " (also at \(others.joined(separator: ", ")))"
      return Diagnostic(problem.severity, file: file, at: first, problem.message + also)
    }.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }
}
