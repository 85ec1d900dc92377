/// A compiled contribution, from which nodes are created.
final class NodeTemplate: Sendable {
  enum Target: Sendable {
    case screen(Int32)
    case flow(Int32)
    /// A name that the definition does not contain.
    case missing(String)
  }

  let target: Target
  let with: Recipe
  /// The values with which facts of a new flow begin, instead of their defaults.
  let facts: Recipe
  let start: [CompiledStep]
  let listen: Listen
  let load: Load?
  let after: [CompiledTimer]
  /// The steps that the node itself sends.
  let steps: NodeSteps
  let leave: Leave?
  let isSealed: Bool
  let content: Expression?
  let then: StepTemplate?
  let otherwise: StepTemplate?
  /// Whether the params or the content contain the authorize URL, so that the node owns an OAuth state.
  let carriesAuthorizeURL: Bool
  /// Whether the node may have `NodeTerms`.
  let hasTerms: Bool

  init(
    target: Target, with: Recipe, facts: Recipe = Recipe([:]), start: [CompiledStep] = [], listen: Listen = Listen(), load: Load? = nil,
    after: [CompiledTimer] = [],
    steps: NodeSteps = NodeSteps(), leave: Leave? = nil, isSealed: Bool = false, content: Expression? = nil,
    then: StepTemplate? = nil, otherwise: StepTemplate? = nil
  ) {
    self.target = target
    self.with = with
    self.facts = facts
    self.start = start
    self.listen = listen
    self.load = load
    self.after = after
    self.steps = steps
    self.leave = leave
    self.isSealed = isSealed
    self.content = content
    self.then = then
    self.otherwise = otherwise
    carriesAuthorizeURL = with.carriesAuthorizeURL || content?.references.contains(.authorizeURL) ?? false
    hasTerms = !steps.isEmpty || leave != nil || then != nil || otherwise != nil || carriesAuthorizeURL
  }
}

/// A compiled step template, from which steps are created.
struct CompiledStep: Sendable {
  let number: Int
  let name: String
  let with: Recipe
  /// The receiver; `nil` for the flow that handles the sender's steps.
  let to: Operation.Destination?
  let params: ParameterContract
}

/// A timer and the step that it sends.
struct CompiledTimer: Sendable {
  let timer: Timer
  let step: CompiledStep
}

/// A compiled operation of a handler. Returns the reason if it has changed nothing.
typealias Instruction = @Sendable (inout Run, borrowing InstructionContext) throws(Refusal) -> NoChange?

/// The inputs of an instruction: the flow that handles the step, and the values that expressions can read.
struct InstructionContext {
  let flow: NodeID
  let scope: Scope
}
