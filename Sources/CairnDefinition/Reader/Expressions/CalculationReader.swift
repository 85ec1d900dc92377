import CairnCore

/// Reads calculations with numbers: sums, differences, and the count of a list or map.
struct CalculationReader: PartReader {
  let context: ReaderContext

  private static let form = "write it like `$a + 1`, `$a - $b` or `$(10 - $a)`"

  /// Reads a calculation. Returns `nil` after reporting an error.
  func calculation(_ terms: CalculationTerms, at position: Position, in scope: Surroundings) -> Expression? {
    var result: Expression?
    for (isNegative, text) in terms.terms {
      guard let term = term(text, at: position, in: scope) else { return nil }
      result = joined(result, term, isNegative)
    }
    return result
  }

  /// Appends a term to a calculation. Consecutive terms with the same sign form one calculation.
  private func joined(_ result: Expression?, _ term: Expression, _ isNegative: Bool) -> Expression {
    guard let result else { return term }
    let kind: Expression.Calculation = isNegative ? .difference : .sum
    guard case .calculation(kind, let terms) = result else { return .calculation(kind, [result, term]) }
    return .calculation(kind, terms + [term])
  }

  private func term(_ text: String, at position: Position, in scope: Surroundings) -> Expression? {
    guard text.hasPrefix("$"), text.count > 1 else {
      if case .success(let value) = CoreScalar.value(of: text), ParameterDefinition(.number).fault(of: value) == nil {
        return .literal(value)
      }
      report("`\(text)` is not a term of a calculation; \(Self.form)", at: position)
      return nil
    }
    if text.hasPrefix("$count("), text.hasSuffix(")") {
      let inner = String(text.dropFirst("$count(".count).dropLast())
      return references.reference(inner, at: position, in: scope).map { .calculation(.count, [.reference($0)]) }
    }
    guard let reference = references.reference(String(text.dropFirst()), at: position, in: scope) else { return nil }
    if scope.hasCaptures, case .param(let name) = reference, scope.params?[name]?.kind == .string {
      report("`\(text)` is a text from outside, but a calculation needs numbers; calculate in the handler of the step", at: position)
      return nil
    }
    let kind = expressions.kind(of: .reference(reference), in: scope)
    guard kind != .string, kind != .boolean, kind != .list else {
      report("`\(text)` is of type \(kind?.rawValue ?? ""), but a calculation needs numbers", at: position)
      return nil
    }
    return .reference(reference)
  }
}
