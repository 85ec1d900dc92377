/// What a handler can name.
public enum Operation: Hashable, Sendable {
  case push(Contribution)
  /// The top of the stack.
  case replace(Contribution)
  /// The whole stack.
  case set([Contribution])
  case pop(count: Int)
  /// The instance nearest to the top.
  case popTo(screen: String)
  case popToRoot
  /// Brings the nearest instance of a screen to the top of what is visible: dismiss, select, pop.
  case reveal(screen: String)
  case present(Contribution, style: PresentationStyle, on: Anchor, replace: Bool)
  case dismiss
  case tabs([Contribution])
  case split(master: [Contribution], detail: Contribution)
  case detail(Contribution)
  case select(Selection)
  /// Flux: ensure this child of a switch, then its root, or one screen on top; no-op when the screen on top has that name already.
  case show(flow: String, screen: Contribution?)
  /// Ends the flow and sends a step to its parent.
  case end(StepTemplate)
  case forward(StepTemplate, to: Destination)
  case write([String: Expression])
  case clear([String])
  case content([ContentEdit], of: String?)
  /// Belongs to the emitting screen, or to the flow's own node.
  case load(Load, on: Anchor)
  case after(Timer, on: Anchor)
  /// The timers of that name (nil: every timer and load) of the emitter and of what is below it.
  case cancel(name: String?)
  case remove(screen: String)
  case none

  /// The handling flow's own node, or the emitting screen: where `present` hangs a node, and whose a load or timer is.
  public enum Anchor: String, Hashable, Sendable, CaseIterable { case flow, screen }

  public enum Destination: String, Hashable, Sendable, CaseIterable { case parent, current }

  public enum Selection: Hashable, Sendable {
    case index(Expression)
    case flow(String)
  }
}

public enum PresentationStyle: String, Hashable, Sendable, Codable, CaseIterable {
  case sheet, fullScreen, alert
}

/// A node to be made, and who may speak next because of it (RxFlow's FlowContributor, as data).
public struct Contribution: Hashable, Sendable {
  public var target: Target
  public var with: [String: Expression]
  /// A flow's start steps, in order (several: RxFlow's CompositeStepper).
  public var start: [StepTemplate]
  public var listen: Listen
  /// Starts when the node is made, and belongs to it.
  public var load: Load?
  public var after: [Timer]
  /// Sent when the node is popped or dismissed.
  public var left: StepTemplate?
  /// The content value that the node starts with.
  public var content: Expression?

  public enum Target: Hashable, Sendable {
    case screen(String)
    case flow(String)
  }

  public init(
    _ target: Target, with: [String: Expression] = [:], start: [StepTemplate] = [], listen: Listen = .init(),
    load: Load? = nil, after: [Timer] = [], left: StepTemplate? = nil, content: Expression? = nil
  ) {
    self.target = target
    self.with = with
    self.start = start
    self.listen = listen
    self.load = load
    self.after = after
    self.left = left
    self.content = content
  }
}

/// Which steps of a contribution pass the gate (RxFlow's allow flags).
public struct Listen: Hashable, Sendable, Codable {
  /// Also while it is covered.
  public var hidden: Bool
  /// Also when it is gone, until its flow ends.
  public var dismissed: Bool

  public init(hidden: Bool = false, dismissed: Bool = false) {
    self.hidden = hidden
    self.dismissed = dismissed
  }
}

/// Work that brings a value into a node's content.
public struct Load: Hashable, Sendable {
  public var source: Source
  /// Milliseconds before the value is there, or before the request leaves.
  public var delay: Int
  /// Sent with `$result` when the value came; a step that it does not fit is a failure of the load.
  public var then: StepTemplate?
  /// Sent when the load failed.
  public var otherwise: StepTemplate?
  /// A second request replaces a running one, instead of being ignored.
  public var restart: Bool
  /// Cancelled when the node is covered.
  public var whileVisible: Bool

  public enum Source: Hashable, Sendable {
    case value(Expression)
    /// An HTTP GET; with `bearer` the session's access token goes along.
    case get(url: Expression, bearer: Bool)
  }

  public init(
    _ source: Source, delay: Int = 0, then: StepTemplate? = nil, otherwise: StepTemplate? = nil, restart: Bool = false,
    whileVisible: Bool = false
  ) {
    self.source = source
    self.delay = delay
    self.then = then
    self.otherwise = otherwise
    self.restart = restart
    self.whileVisible = whileVisible
  }
}

/// A step sent later, once or repeatedly.
public struct Timer: Hashable, Sendable {
  public var name: String?
  /// Milliseconds; the period of a repeating one.
  public var delay: Int
  public var repeats: Bool
  public var step: StepTemplate
  public var whileVisible: Bool

  public init(name: String? = nil, delay: Int, repeats: Bool = false, step: StepTemplate, whileVisible: Bool = false) {
    self.name = name
    self.delay = delay
    self.repeats = repeats
    self.step = step
    self.whileVisible = whileVisible
  }
}

/// One write to a node's content value.
public struct ContentEdit: Hashable, Sendable {
  /// Members below the value; a member may be worked out (`rows.$row`).
  public var path: [Expression]
  public var change: Change

  public enum Change: Hashable, Sendable {
    case set(Expression)
    /// Adds to an integer or number that is there.
    case add(Expression)
  }

  public init(path: [Expression], change: Change) {
    self.path = path
    self.change = change
  }
}
