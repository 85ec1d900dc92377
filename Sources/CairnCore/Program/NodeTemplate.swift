/// A contribution, ready for nodes to be made of it.
struct NodeTemplate: Sendable {
  enum Target: Sendable {
    case screen(Int32)
    case flow(Int32)
    /// A name that the definition does not have.
    case missing(String)
  }

  let target: Target
  let with: Recipe
  let start: [CompiledStep]
  let listen: Listen
  let load: Load?
  let after: [CompiledTimer]
  let left: StepTemplate?
  let leave: Leave?
  let content: Expression?
  let then: StepTemplate?
  let otherwise: StepTemplate?
  /// The authorize URL is in its params or its content: the node owns an OAuth state.
  let carriesAuthorizeURL: Bool

  init(
    target: Target, with: Recipe, start: [CompiledStep] = [], listen: Listen = Listen(), load: Load? = nil, after: [CompiledTimer] = [],
    left: StepTemplate? = nil, leave: Leave? = nil, content: Expression? = nil, then: StepTemplate? = nil, otherwise: StepTemplate? = nil
  ) {
    self.target = target
    self.with = with
    self.start = start
    self.listen = listen
    self.load = load
    self.after = after
    self.left = left
    self.leave = leave
    self.content = content
    self.then = then
    self.otherwise = otherwise
    carriesAuthorizeURL = with.carriesAuthorizeURL || content?.references.contains(.authorizeURL) ?? false
  }
}

/// A step template, ready for steps to be made of it.
struct CompiledStep: Sendable {
  let number: Int
  let name: String
  let with: Recipe
  /// The receiver; `nil`: the flow that handles the sender's steps.
  let to: Operation.Destination?
  let params: ParameterContract
}

/// A timer and the step that it sends.
struct CompiledTimer: Sendable {
  let timer: Timer
  let step: CompiledStep
}

/// One operation of a handler, ready to run; why it changed nothing.
typealias Instruction = @Sendable (inout Run, borrowing Performance) throws(Refusal) -> NoChange?

/// The context of an instruction: the flow that handles the step, and the values that can be read.
struct Performance {
  let flow: NodeID
  let scope: Scope
}
