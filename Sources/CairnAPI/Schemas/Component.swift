import CairnCore

/// The schemas that a document contains by name, except the schemas of actions and changes. Client generators use the names, so they must
/// not change.
package enum Component: String, CaseIterable, Sendable {
  case value = "Value"
  case params = "Params"
  case nodeID = "NodeID"
  case linkID = "LinkID"
  case questionID = "QuestionID"
  case heldID = "HeldID"
  case delivery = "Delivery"
  case sessionID = "SessionID"
  case revision = "Revision"
  case time = "Time"
  case duration = "Duration"
  case session = "Session"
  case startedSession = "StartedSession"
  case sessionItem = "SessionItem"
  case sessionPage = "SessionPage"
  case endedSessions = "EndedSessions"
  case login = "Login"
  case facts = "Facts"
  case acceptance = "Acceptance"
  case pending = "Pending"
  case node = "Node"
  case content = "Content"
  case route = "Route"
  case stack = "Stack"
  case change = "Change"
  case event = "Event"
  case outcome = "Outcome"
  case performed = "Performed"
  case performedAll = "PerformedAll"
  case posted = "Posted"
  case historyPage = "HistoryPage"
  case entry = "Entry"
  case cause = "Cause"
  case creation = "Creation"
  case step = "Step"
  case action = "Action"
  case actions = "Actions"
  case numberedAction = "NumberedAction"
  case numberedActions = "NumberedActions"
  case performedNumbered = "PerformedNumbered"
  case link = "Link"
  case notification = "Notification"
  case notificationPayload = "NotificationPayload"
  case notificationUse = "NotificationUse"
  case apps = "Apps"
  case app = "App"
  case version = "Version"
  case versions = "Versions"
  case published = "Published"
  case migration = "Migration"
  case migrations = "Migrations"
  case migrationRequest = "MigrationRequest"
  case undoRequest = "UndoRequest"
  case forkRequest = "ForkRequest"
  case exportRequest = "ExportRequest"
  case forgetRequest = "ForgetRequest"
  case forgotten = "Forgotten"
  case prediction = "Prediction"
  case predictions = "Predictions"
  case predictionRequest = "PredictionRequest"
  case replica = "Replica"
  case rollout = "Rollout"
  case rolloutRequest = "RolloutRequest"
  case takenLink = "TakenLink"
  case links = "Links"
  case check = "Check"
  case graph = "Graph"
  case ticket = "Ticket"
  case heardChange = "HeardChange"
  case heardStart = "HeardStart"
  case heardMigration = "HeardMigration"
  case heardEnd = "HeardEnd"
  case heardReset = "HeardReset"
  case readiness = "Readiness"
  case problem = "Problem"
  case fault = "Fault"

  /// A reference to the schema.
  package var reference: Schema { .named(rawValue) }

  /// The schema of the component.
  package var schema: Schema {
    switch self {
    case .value: Schema.any.about("Any JSON value.")
    case .params: Schema.map(of: .shared(.value)).about("Params by name.")
    case .nodeID: .text(like: "^n[1-9][0-9]{0,17}$")
    case .linkID: .text(like: "^l[1-9][0-9]{0,17}$")
    case .questionID: .text(like: "^q[1-9][0-9]{0,17}$")
    case .heldID: .text(like: "^h[1-9][0-9]{0,17}$")
    case .delivery:
      Schema.words(["settled"]).about(
        "The action waits until each client that was in contact within `offlineFor` has sent its user's earlier actions, but at most for "
          + "`offlineFor`. Operators only."
      )
    case .sessionID: .text(like: "^s[A-Za-z0-9_-]{23}$")
    case .revision: Schema.whole(from: 0).about("The number of a session's state. Each entry of the session's history adds 1.")
    case .time: .text(like: #"^[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"#).with("format", "date-time")
    case .duration: Self.durations
    case .session: SessionBody.schema
    case .startedSession: SessionBody.startedSchema
    case .sessionItem: SessionBody.shortSchema
    case .sessionPage: SessionsBody<SessionItem>.schema
    case .endedSessions: EndedBody.schema
    case .login: SessionBody.loginSchema
    case .facts: Schema.map(of: .shared(.value)).about("Facts by name. accessToken is true or false, never the token.")
    case .acceptance: SessionBody.acceptanceSchema
    case .pending: PendingBody.schema
    case .node: TreeSchema.node
    case .content: TreeSchema.content
    case .route: TreeSchema.route()
    case .stack: .list(of: .shared(.route))
    case .change: ChangeSchema.any
    case .event: ActionBody.eventSchema
    case .outcome: .words(["performed", "unchanged", "pending"])
    case .performed: ActionBody.schema
    case .performedAll: ActionsBody.schema
    case .posted:
      Schema([
        "anyOf": [
          Component.performed.reference.value, Component.performedAll.reference.value, Component.performedNumbered.reference.value,
        ]
      ])
    case .historyPage: HistoryBody<EntryBody>.schema
    case .entry: EntrySchema.entry
    case .cause: EntrySchema.cause
    case .creation: CreationRequest.schema
    case .step: ActionRequest.stepSchema
    case .action: ActionRequest.schema
    case .actions: ActionRequest.bodySchema
    case .numberedAction: NumberedRequest.actionSchema
    case .numberedActions: NumberedRequest.schema
    case .performedNumbered: NumberedBody.schema
    case .link: OpenRequest.schema
    case .notification: NotificationRequest.schema
    case .notificationPayload: NotificationRequest.payloadSchema
    case .notificationUse: NotificationRequest.useSchema
    case .apps: AppsBody.schema
    case .app: AppBody.schema
    case .version: VersionsBody.Version.schema
    case .versions: VersionsBody.schema
    case .published: PublishedBody.schema
    case .migration: MigrationBody.schema
    case .migrations: MigrationsBody.schema
    case .migrationRequest: MigrationRequest.schema
    case .undoRequest: UndoRequest.schema
    case .forkRequest: ForkRequest.schema
    case .exportRequest: ExportRequest.schema
    case .forgetRequest: ForgetRequest.schema
    case .forgotten: ForgottenBody.schema
    case .prediction: PredictionBody.schema
    case .predictions: PredictionsBody.schema
    case .predictionRequest: PredictionRequest.schema
    case .replica: ReplicaBody.schema
    case .rollout: RolloutBody.schema
    case .rolloutRequest: RolloutRequest.schema
    case .takenLink: LinkBody.schema
    case .links: LinksBody.schema
    case .check: CheckBody.schema
    case .graph: GraphSchema.graph
    case .ticket: TicketBody.schema
    case .heardChange: HeardSchema.change
    case .heardStart: HeardSchema.start
    case .heardMigration: MigratedBody.schema
    case .heardEnd: EndBody.schema
    case .heardReset: HeardSchema.reset
    case .readiness: ReadinessBody.schema
    case .problem: Problem.schema
    case .fault: Problem.Item.schema
    }
  }

  /// The schema of a duration. The maximum number of digits keeps every duration below the limit of a hundred years.
  private static let durations = Schema.text(
    like: #"^([0-9]{1,9}(\.[0-9]+)?(ms|s)|[0-9]{1,6}(\.[0-9]+)?m|[0-9]{1,5}(\.[0-9]+)?h|[0-9]{1,4}(\.[0-9]+)?d)$"#
  ).about("A duration: a number followed by ms, s, m, h or d, such as 1.5s.")
}

extension Property {
  /// The description of the member `next` of a page.
  static let aboutNext = "The path of the next page; missing on the last page."
}
