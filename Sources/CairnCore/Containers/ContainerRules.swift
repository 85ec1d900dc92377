/// The rules of one kind of container, reached by a switch: Embedded Swift has no metatypes of protocols.
enum ContainerRules {
  case stack, tabs, oneOf, split

  /// The child in front.
  func front(_ children: [NodeID], selected: Int?) -> NodeID? {
    switch self {
    case .stack: StackContainer.front(children, selected: selected)
    case .tabs: TabsContainer.front(children, selected: selected)
    case .oneOf: SwitchContainer.front(children, selected: selected)
    case .split: SplitContainer.front(children, selected: selected)
    }
  }

  /// The children that are seen where the container is.
  func visible(_ children: [NodeID], selected: Int?) -> [NodeID] {
    switch self {
    case .stack: StackContainer.visible(children, selected: selected)
    case .tabs: TabsContainer.visible(children, selected: selected)
    case .oneOf: SwitchContainer.visible(children, selected: selected)
    case .split: SplitContainer.visible(children, selected: selected)
    }
  }

  /// The children that are part of the visible route.
  func routes(_ children: [NodeID], selected: Int?) -> [NodeID] {
    switch self {
    case .stack: StackContainer.routes(children, selected: selected)
    case .tabs: TabsContainer.routes(children, selected: selected)
    case .oneOf: SwitchContainer.routes(children, selected: selected)
    case .split: SplitContainer.routes(children, selected: selected)
    }
  }

  /// Where a push of the flow that the container is lands; nil: further out.
  func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID? {
    switch self {
    case .stack: StackContainer.stack(container, children)
    case .tabs: TabsContainer.stack(container, children)
    case .oneOf: SwitchContainer.stack(container, children)
    case .split: SplitContainer.stack(container, children)
    }
  }

  /// Brings the child at an index to the front.
  func reveal(_ index: Int, of container: NodeID, in run: inout Run) {
    switch self {
    case .stack: StackContainer.reveal(index, of: container, in: &run)
    case .tabs: TabsContainer.reveal(index, of: container, in: &run)
    case .oneOf: SwitchContainer.reveal(index, of: container, in: &run)
    case .split: SplitContainer.reveal(index, of: container, in: &run)
    }
  }

  /// Notes what a client plays when the children are others than before.
  func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    switch self {
    case .stack: StackContainer.note(children, of: state, by: program, in: &changes)
    case .tabs: TabsContainer.note(children, of: state, by: program, in: &changes)
    case .oneOf: SwitchContainer.note(children, of: state, by: program, in: &changes)
    case .split: SplitContainer.note(children, of: state, by: program, in: &changes)
    }
  }
}
