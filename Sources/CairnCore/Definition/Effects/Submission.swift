/// A message as written in a definition: a POST that belongs to the session.
public struct Submission: Hashable, Sendable {
  public var request: LoadRequest
  /// The key that identifies the message within the session.
  public var key: Expression
  /// The step sent with `$result` when the response has arrived.
  public var then: StepTemplate?
  /// The step sent when the message has failed.
  public var otherwise: StepTemplate?

  public init(_ request: LoadRequest, key: Expression, then: StepTemplate? = nil, otherwise: StepTemplate? = nil) {
    self.request = request
    self.key = key
    self.then = then
    self.otherwise = otherwise
  }
}

extension Submission {
  /// The steps sent at the end of the message.
  public var templates: [StepTemplate] { [then, otherwise].compactMap { $0 } }

  /// The expressions that the operation evaluates, except the params of its steps.
  public var expressions: [Expression] { [key] + request.expressions }
}

/// The coded form omits the request, because clients must not receive it.
extension Submission: Coded {
  package static var blank: Submission { Submission(LoadRequest(.post, .literal("")), key: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Submission, _ coder: inout C) throws(C.Failure) {
    try coder.member("key", &it.key)
    try coder.member("then", &it.then)
    try coder.member("else", &it.otherwise)
  }
}
