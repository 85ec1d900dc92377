/// A reader of one part of the language. All readers of a document share a context, and have the functions for names, maps and values in common.
protocol PartReader {
  var context: ReaderContext { get }
}

extension PartReader {
  var names: DeclaredNames { context.names }
  /// The flow whose handlers are being read; `nil` outside of a flow.
  var flow: CurrentFlow? { context.flow }

  /// Reports a fault. The message includes the valid alternatives.
  func report(_ message: String, at position: Position, severity: Diagnostic.Severity = .error) {
    context.problems.report(message, at: position, severity: severity)
  }

  /// Reports an error unless the definition is stored. A stored definition may have been accepted before the rule existed, and must remain
  /// readable for its sessions.
  func reportUnlessStored(_ message: String, at position: Position) {
    if !context.isStored { report(message, at: position) }
  }

  /// Reports an unknown name. All occurrences in the file are one error, whose message is built only once.
  func reportUnknown(_ kind: NameKind, _ name: String, at position: Position, _ message: () -> String) {
    context.problems.reportUnknown(kind, name, at: position, message)
  }
}
