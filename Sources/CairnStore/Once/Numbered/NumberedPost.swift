package import CairnCore
package import CairnJournal

/// Numbered actions of one client. Each action runs separately, in the order of the list, and only once, however often it is posted.
package struct NumberedPost: Sendable {
  let client: String
  let actions: [NumberedAction]
  let made: ClientDefinition?
  let sent: WideInt?
  let session: String
  let origin: EntryOrigin
  let key: @Sendable (WideInt) -> Fingerprint
  let render: @Sendable (Result<Posted, StoreFault>, Session, WideInt, [NodeID]) -> RenderedAnswer
  let created: @Sendable (RenderedAnswer) -> [NodeID]
  /// The nodes that earlier actions have created, by the action's number. A reader searches the history for the actions that this request
  /// names. The list is empty for an action that the history does not contain.
  var found: [WideInt: [NodeID]] = [:]
  /// The covers that a reader found on the pages that the user saw; `nil` if no action names the revision that its user saw.
  var covers: SeenCovers?

  /// Creates a post. `sent` is the time of the request by the clock that gave the actions their times. `key` returns the key under which
  /// the response to the action with a number is stored. `render` builds the response to one action from its result, the session
  /// afterwards, the action's number and the nodes that it created. It runs on the writer's thread, and the response is stored with the
  /// same commit. `created` returns the nodes that a stored response names.
  package init(
    _ actions: [NumberedAction], of client: String, madeFor made: ClientDefinition?, sent: WideInt? = nil, to session: String,
    origin: EntryOrigin,
    key: @escaping @Sendable (WideInt) -> Fingerprint,
    render: @escaping @Sendable (Result<Posted, StoreFault>, Session, WideInt, [NodeID]) -> RenderedAnswer,
    created: @escaping @Sendable (RenderedAnswer) -> [NodeID]
  ) {
    self.actions = actions
    self.client = client
    self.made = made
    self.sent = sent
    self.session = session
    self.origin = origin
    self.key = key
    self.render = render
    self.created = created
  }

  /// The post of one action. `command` is the action with the ids of the nodes that it names.
  func post(_ command: Command) -> Post { Post(.commands([command], madeFor: made), to: session, origin: origin) }

  /// The numbers of the actions whose nodes this request names and which have already run, in the order of the request. A repeated request
  /// may itself contain such actions.
  func named(in state: State) -> [WideInt] {
    let newest = state.newestAction(of: client)
    var seen: Set<WideInt> = []
    return actions.flatMap { $0.nodes.map(\.action) }.filter { $0 <= newest && seen.insert($0).inserted }
  }

  /// Whether any action names a node by the action that created it.
  var namesActions: Bool { actions.contains { !$0.nodes.isEmpty } }
}

extension State {
  /// The highest number of a client's actions that ran; 0 if none ran, or if the client is no longer known.
  func newestAction(of client: String) -> WideInt { clients.first { $0.client == client }?.number ?? 0 }
}
