import CairnCore

extension OfflineTrial {
  /// An action that the client shows, and the actions that are possible after it.
  struct Tap {
    var move: Move
    /// The action. Its `from` is the node that the user saw.
    var action: Action
    var screen: String
    /// The nodes that the action creates in the client.
    var created: [NodeID]
    /// The handlers that receive the result of a flow in the client, each as `FLOW STEP`.
    var results: [String]
    /// The modal in front after the action, with its name, if it is a lock.
    var lock: (node: NodeID, name: String)?
    var next: [Tap]
  }

  /// The delivery of a queue to the service after an entry that the user has not seen.
  struct Delivery {
    let entry: Move
    let seen: Int
    /// The state after the entry, and the numbers of the nodes that the entry has created.
    let arrived: State
    let made: Range<WideInt>
    /// The modals and overlays that the entry has created.
    let alerts: [NodeID]
    /// The modal in front after the entry, if the entry has created it and it is a lock that is not sealed.
    let openLock: NodeID?
    /// How the entry can wait for the client, as the last words of a finding; `nil` if it cannot.
    let remedy: String?
    /// Whether the service holds the entry until the client has sent the queue.
    var holds = false
    /// Whether the service would perform a held entry if the queue were empty.
    var isPossible = false
    /// The numbers of the nodes whose content the queue has changed. Only noted for a held entry.
    var written: Set<Int32> = []
    var taps: [Move] = []
    var state: State
    var covers = CoverBook()
    /// The ids of the client's nodes in the service. A node that the service has not created has the id 0.
    var ids: [NodeID: NodeID] = [:]
    /// The refused actions of the group, each with its code.
    var refusals: [String] = []

    /// Whether the entry has removed a node that the client shows.
    func hasRemoved(_ node: NodeID?) -> Bool {
      guard let node, node != .neverCreated, node.number < made.lowerBound else { return false }
      return !ModalOutlook(of: arrived).contains(node)
    }

    /// The entry as the last words of a finding.
    var after: String {
      switch entry.deed {
      case .action(.step(let step, _)): "after the step \(step.step)"
      case .action(.notification(_, let category, _, _, _)): "after a notification" + (category.map { " of the category \($0)" } ?? "")
      case .advance: "after a deadline"
      default: "after the end of a request"
      }
    }
  }

  /// A queue whose delivery after an entry has a fault.
  struct Fault {
    let taps: [Move]
    let entry: Move
    /// The refused actions, each with its code, as a scenario expects them.
    let refusals: [String]
    /// The service's state after the queue.
    let state: State
    /// How the fault can be avoided, as the last words of a finding; `nil` if the entry cannot wait.
    let remedy: String?

    init(_ delivery: Delivery, remedy: String? = nil) {
      (taps, entry, refusals, state) = (delivery.taps, delivery.entry, delivery.refusals, delivery.state)
      self.remedy = remedy
    }
  }
}
