// Creates the readers of the parts of the language, by topic. A reader uses other readers through these properties.
extension PartReader {
  // MARK: Declarations

  var compatibility: CompatReader { CompatReader(context: context) }
  var declarations: DeclarationReader { DeclarationReader(context: context) }
  var screens: ScreenReader { ScreenReader(context: context) }
  var types: TypeReader { TypeReader(context: context) }
  var assignments: AssignmentReader { AssignmentReader(context: context) }
  var bounds: BoundsReader { BoundsReader(context: context) }
  var lists: ListReader { ListReader(context: context) }

  // MARK: Expressions and conditions

  var expressions: ExpressionReader { ExpressionReader(context: context) }
  var calculations: CalculationReader { CalculationReader(context: context) }
  var references: ReferenceReader { ReferenceReader(context: context) }
  var secrets: SecretRules { SecretRules(context: context) }
  var conditions: ConditionReader { ConditionReader(context: context) }
  var tests: TestReader { TestReader(context: context) }

  // MARK: Flows

  var facts: FactReader { FactReader(context: context) }
  var flows: FlowReader { FlowReader(context: context) }
  var containers: ContainerReader { ContainerReader(context: context) }
  var nodes: NodeReader { NodeReader(context: context) }
  var places: PlaceReader { PlaceReader(context: context) }

  // MARK: Handlers

  var handlers: HandlerReader { HandlerReader(context: context) }
  var operations: OperationReader { OperationReader(context: context) }
  var modals: ModalReader { ModalReader(context: context) }
  var steps: StepReader { StepReader(context: context) }
  var writes: WriteReader { WriteReader(context: context) }

  // MARK: Effects

  var loads: LoadReader { LoadReader(context: context) }
  var submissions: SubmissionReader { SubmissionReader(context: context) }
  var requests: RequestReader { RequestReader(context: context) }
  var urls: LoadURLReader { LoadURLReader(context: context) }
  var headers: HeaderReader { HeaderReader(context: context) }
  var timers: TimerReader { TimerReader(context: context) }
  var oauth: OAuthReader { OAuthReader(context: context) }

  // MARK: Links and notifications

  var links: LinkReader { LinkReader(context: context) }
  var secretSources: SecretSources { SecretSources(context: context) }
  var origins: OriginReader { OriginReader(context: context) }
  var linkPaths: LinkPathReader { LinkPathReader(context: context) }
  var notifications: NotificationReader { NotificationReader(context: context) }
  var takings: TakingReader { TakingReader(context: context) }
}
