#if !CLIENT_ENGINE
  /// Queries about the modals of a state, which only `explore` needs.
  package struct ModalOutlook: Sendable {
    private let state: State

    package init(of state: State) { self.state = state }

    /// The visible modals from back to front.
    package var visible: [NodeID] { state.layers.filter { $0 != state.root } }

    /// The modals and overlays with a node number of at least `first`, including those that wait for their level or slot.
    package func created(since first: WideInt) -> [NodeID] {
      let nodes = state.nodes
      return (nodes.modals + nodes.levels + nodes.waiting + nodes.overlays).filter { $0.number >= first }.sorted()
    }

    /// Whether a modal exists. True also for a modal that waits for its level.
    package func contains(_ modal: NodeID) -> Bool { state.stands(modal) }

    package func isSealed(_ modal: NodeID) -> Bool { state.nodes.record(modal)?.isSealed ?? false }

    /// Whether no gesture closes a modal (`guard: true`).
    package func isGuarded(_ modal: NodeID) -> Bool {
      guard let record = state.nodes.record(modal), let leave = state.nodes.storedDetails(of: record)?.leave else { return false }
      return leave.ask == nil && leave.when == nil
    }

    /// The names of the screens inside a modal.
    package func screens(inside modal: NodeID) -> [String] {
      state.subtree(of: modal).compactMap { state.nodes.record($0) }.filter { $0.isLeaf }.map { state.nodes.name(of: $0) }
    }

    /// The name of a modal; empty if it does not exist.
    package func name(of modal: NodeID) -> String { state.nodes.record(modal).map { state.nodes.name(of: $0) } ?? "" }
  }
#endif
