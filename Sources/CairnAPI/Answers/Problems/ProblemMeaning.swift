package import CairnCore

/// The meaning of a problem code. The OpenAPI document is generated from this table, and a test compares docs/problems.md with it.
package struct ProblemMeaning: Hashable, Sendable {
  package let code: String
  package let status: Int
  /// The meaning as one sentence without a full stop.
  package let text: String
  /// The remedy; empty if it is obvious.
  package let remedy: String

  /// Creates the meaning of a problem that the service detects.
  package init(_ problem: ProblemCode) {
    code = problem.rawValue
    status = problem.status
    (text, remedy) = problem.meaning
  }

  /// Creates the meaning of a refusal.
  package init(_ refusal: Refusal.Code) {
    code = refusal.rawValue
    status = refusal.status
    (text, remedy) = refusal.meaning
  }

  /// The codes of the service, followed by the codes of refusals. A code that belongs to both, such as `invalid`, appears once.
  package static let all =
    ProblemCode.allCases.map(Self.init) + refusals.filter { refusal in !ProblemCode.allCases.contains { $0.rawValue == refusal.code } }

  /// The codes with which the reducer refuses an action.
  package static let refusals = Refusal.Code.allCases.map(Self.init)
}
