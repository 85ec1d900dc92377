/// An operation of a handler. Indirect, because some payloads are large and an operation is copied often while a definition is compiled.
public indirect enum Operation: Hashable, Sendable {
  case push(Contribution)
  /// Replaces the top of the stack.
  case replace(Contribution)
  /// Replaces the whole stack. With `keep`, equal nodes at the bottom are kept.
  case set([Contribution], keep: Bool = false)
  case pop(count: Int)
  /// Pops to a node on a stack: the nearest such node at this place.
  case popTo(Place)
  case popToRoot
  /// Brings the nearest node at this place to the front, by dismissing, selecting and popping.
  case reveal(Place)
  /// Moves a node to the top of its stack: the nearest node at this place that is on a stack. The node keeps its content, timers and
  /// modals.
  case bring(Place)
  /// Presents a node. With a level, the parent of the node is the root, and the anchor has no effect.
  case present(Contribution, style: PresentationStyle, on: Anchor, replace: Bool, level: Level? = nil)
  /// Shows a screen over the app, without covering any node.
  case overlay(Contribution, Overlay)
  /// Dismisses the nearest modal or overlay at this place that the flow has presented. If the place is `nil`, dismisses the nearest modal
  /// of any name.
  case dismiss(Place?)
  case tabs([Contribution])
  /// Replaces the panes of a split. Without a detail, the current detail is kept.
  case split(master: [Contribution], detail: Contribution?)
  case detail(Contribution)
  case select(Selection)
  /// Shows a child of a switch, as in Flux: creates the child if necessary, then shows its root or pushes one screen. Does nothing if the
  /// screen on top has the same name.
  case show(flow: String, screen: Contribution?)
  /// Ends the flow and sends a step, by default to its parent.
  case end(StepTemplate)
  /// Ends the flow with a result and removes its node.
  case give([String: Expression])
  /// Sends a step, by default to the parent flow.
  case forward(StepTemplate)
  case write([String: Expression])
  case clear([String])
  /// Edits the content of the nearest node at the place `of`, or of the emitting node if `of` is `nil`. The reader of a definition sorts the edits by
  /// the UTF-8 text of their paths.
  case content([ContentEdit], of: Place?)
  /// Starts a load, which belongs to the emitting screen, to the flow's own node, or to the nearest node at the place `of`.
  case load(Load, on: Anchor, of: Place? = nil)
  /// Sends a message, which belongs to the session.
  case submit(Submission)
  case after(Timer, on: Anchor)
  /// Cancels the timers with this name that belong to the emitter, its descendants or the flow. If the name is `nil`, cancels all timers
  /// and loads of the emitter and its descendants.
  case cancel(name: String?)
  /// Removes the nearest node at this place, from its stack or as a modal, and keeps the nodes over it. With `all`, removes each node at
  /// this place from its stack.
  case remove(Place, all: Bool = false)
  /// Deletes the access token, with the consequences of the action `logout`.
  case logout
  /// Drops all held links.
  case cancelLinks
  /// After the handler's turn, performs the action that waits for the answer to a guard's question.
  case proceed
  /// Forgets the session's history up to and including this action.
  case forget
  case none

  /// The node on which `present` presents, or to which a load or timer belongs: the flow's own node or the emitting screen.
  public enum Anchor: String, Hashable, Sendable, CaseIterable { case flow, screen }

  /// A position in front of the app's screens for one modal.
  public struct Level: Hashable, Sendable {
    /// The number of the level, from 1 to 255. Higher levels are in front.
    public var number: Int
    /// Whether a modal waits if the level is occupied.
    public var queue: Bool

    public init(_ number: Int, queue: Bool = false) {
      self.number = number
      self.queue = queue
    }
  }

  /// The slot of an overlay, and the overlay's behavior in this slot.
  public struct Overlay: Hashable, Sendable {
    /// The name of the slot, which has one overlay at a time.
    public var slot: String
    /// Whether the overlay waits if the slot is occupied.
    public var queue: Bool
    /// Whether the overlay replaces an overlay that occupies the slot.
    public var replace: Bool
    /// The time in milliseconds after which the overlay closes, counted only while it is shown; `nil` if it does not close by itself.
    public var time: WideInt?

    public init(slot: String, queue: Bool = false, replace: Bool = false, time: WideInt? = nil) {
      self.slot = slot
      self.queue = queue
      self.replace = replace
      self.time = time
    }
  }

  public enum Selection: Hashable, Sendable {
    case index(Expression)
    case flow(Place)
  }
}

extension Operation {
  /// The nodes that the operation creates, in order.
  public var makes: [Arrival] {
    switch self {
    case .push(let contribution): return [Arrival(contribution, .pushed)]
    case .replace(let contribution): return [Arrival(contribution, .replacing)]
    case .set(let contributions, _): return contributions.map { Arrival($0, .stacked) }
    case .present(let contribution, let style, let anchor, _, let level):
      return [Arrival(contribution, level.map { .raised(style, level: $0.number) } ?? .presented(style, on: anchor))]
    case .overlay(let contribution, let place): return [Arrival(contribution, .overlay(place))]
    case .tabs(let contributions): return contributions.map { Arrival($0, .tab) }
    case .split(let master, let detail): return master.map { Arrival($0, .master) } + (detail.map { [Arrival($0, .detail)] } ?? [])
    case .detail(let contribution): return [Arrival(contribution, .detail)]
    case .show(let flow, let screen):
      return [Arrival(Contribution(.flow(flow)), .child)] + (screen.map { [Arrival($0, .onChild(flow: flow))] } ?? [])
    case .pop, .popTo, .popToRoot, .reveal, .bring, .dismiss, .select, .end, .give, .forward, .write, .clear, .content, .load, .submit,
      .after, .cancel, .remove, .logout, .cancelLinks, .proceed, .forget, .none:
      return []
    }
  }

  /// The nodes, steps, values and targets of the operation. Tools such as lint and graph read only these parts.
  public var parts: OperationParts {
    var parts = partsBesideNodes
    parts.makes = makes
    return parts
  }

  private var partsBesideNodes: OperationParts {
    switch self {
    case .push, .overlay: OperationParts()
    case .replace, .set, .tabs, .split, .detail, .show, .pop, .popToRoot: OperationParts(removals: [.nodes])
    case .popTo(let place): OperationParts(reads: place.expressions, goals: [.back(place)], removals: [.nodes])
    case .reveal(let place): OperationParts(reads: place.expressions, goals: [.front(place)], removals: [.covers])
    case .bring(let place): OperationParts(reads: place.expressions, goals: [.raised(place)])
    case .present(_, _, _, let replace, _): OperationParts(removals: replace ? [.covers] : [])
    case .dismiss(let place): OperationParts(reads: place?.expressions ?? [], goals: place.map { [.closed($0)] } ?? [], removals: [.modal])
    case .select(.index(let index)): OperationParts(reads: [index])
    case .select(.flow(let place)): OperationParts(reads: place.expressions, goals: [.tab(place)])
    case .end(let template): OperationParts(sends: [.init(template, to: template.to ?? .parent)], removals: [.flow])
    case .give(let values): OperationParts(reads: values.sortedByKey.map { $0.value }, removals: [.flow])
    case .forward(let template): OperationParts(sends: [.init(template, to: template.to ?? .parent)])
    case .write(let values): OperationParts(reads: values.sortedByKey.map { $0.value }, writes: values.keys.sorted())
    case .clear(let facts): OperationParts(writes: facts)
    case .content(let edits, let place): OperationParts(reads: edits.flatMap { $0.expressions } + (place?.expressions ?? []))
    case .load(let load, _, let place): OperationParts(reads: place?.expressions ?? [], loads: [load])
    case .submit(let submission): OperationParts(reads: submission.expressions, submissions: [submission])
    case .after(let timer, _): OperationParts(timers: [timer])
    case .remove(let place, let all):
      OperationParts(reads: place.expressions, goals: [.removed(place)], removals: all ? [.nodes] : [.nodes, .modal])
    case .logout: OperationParts(writes: [FactDefinition.accessToken])
    case .cancel, .cancelLinks, .proceed, .forget, .none: OperationParts()
    }
  }
}

// The form of an operation in `DefinitionFormat`: an object whose first member names the operation.
extension Operation: Coded {
  package static var blank: Operation { .none }

  private static let words: [StaticString] = [
    "push", "replace", "set", "pop", "popTo", "popToRoot", "reveal", "bring", "present", "overlay", "dismiss", "tabs", "split", "detail",
    "select", "selectFlow", "show", "end", "give", "forward", "write", "clear", "content", "load", "after", "cancel", "remove", "logout",
    "forget", "cancelLinks", "proceed", "submit", "none",
  ]
  private static let cases: [Operation] = [
    .push(.blank), .replace(.blank), .set([]), .pop(count: 0), .popTo(.blank), .popToRoot, .reveal(.blank), .bring(.blank),
    .present(.blank, style: .sheet, on: .flow, replace: false), .overlay(.blank, Overlay(slot: "")), .dismiss(nil), .tabs([]),
    .split(master: [], detail: .blank),
    .detail(.blank), .select(.index(.blank)), .select(.flow(.blank)), .show(flow: "", screen: nil), .end(.blank), .give([:]),
    .forward(.blank), .write([:]), .clear([]), .content([], of: nil), .load(.blank, on: .flow), .after(.blank, on: .flow),
    .cancel(name: nil), .remove(.blank), .logout, .forget, .cancelLinks, .proceed, .submit(.blank), .none,
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Operation, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .push(let contribution): it = try .push(coder.coded("push", contribution))
    case .replace(let contribution): it = try .replace(coder.coded("replace", contribution))
    case .set(let contributions, let keep): it = try .set(coder.coded("set", contributions), keep: coder.coded("keep", keep, unless: false))
    case .pop(let count): it = try .pop(count: coder.coded("pop", count))
    case .popTo(let place): it = try .popTo(coder.coded("popTo", place))
    case .popToRoot: try coder.mark("popToRoot")
    case .reveal(let place): it = try .reveal(coder.coded("reveal", place))
    case .bring(let place): it = try .bring(coder.coded("bring", place))
    case .present(var contribution, var style, var anchor, var replace, var level):
      try coder.member("present", &contribution)
      try coder.member("style", &style)
      try coder.member("on", &anchor)
      try coder.flag("replace", &replace)
      coder.chooseIfAny(&level, ["level"], [Level(1)])
      if var present = level {
        try coder.member("level", &present.number)
        try coder.flag("queue", &present.queue)
        level = present
      }
      it = .present(contribution, style: style, on: anchor, replace: replace, level: level)
    case .overlay(var contribution, var place):
      try coder.member("overlay", &contribution)
      try coder.member("slot", &place.slot)
      try coder.flag("queue", &place.queue)
      try coder.flag("replace", &place.replace)
      try coder.member("time", &place.time)
      it = .overlay(contribution, place)
    case .dismiss(let place): it = try .dismiss(coder.coded("dismiss", orNull: place))
    case .tabs(let contributions): it = try .tabs(coder.coded("tabs", contributions))
    case .split(let master, let detail): it = try .split(master: coder.coded("split", master), detail: coder.coded("with", detail))
    case .detail(let contribution): it = try .detail(coder.coded("detail", contribution))
    case .select(.index(let index)): it = try .select(.index(coder.coded("select", index)))
    case .select(.flow(let place)): it = try .select(.flow(coder.coded("selectFlow", place)))
    case .show(let flow, let screen): it = try .show(flow: coder.coded("show", flow), screen: coder.coded("with", screen))
    case .end(let step): it = try .end(coder.coded("end", step))
    case .give(let values): it = try .give(coder.coded("give", values))
    case .forward(let step): it = try .forward(coder.coded("forward", step))
    case .write(let values): it = try .write(coder.coded("write", values))
    case .clear(let facts): it = try .clear(coder.coded("clear", facts))
    case .content(let edits, let name): it = try .content(coder.coded("content", edits), of: coder.coded("of", name))
    case .load(let load, let anchor, let name):
      it = try .load(coder.coded("load", load), on: coder.coded("on", anchor), of: coder.coded("of", name))
    case .submit(let submission): it = try .submit(coder.coded("submit", submission))
    case .after(let timer, let anchor): it = try .after(coder.coded("after", timer), on: coder.coded("on", anchor))
    case .cancel(let name): it = try .cancel(name: coder.coded("cancel", orNull: name))
    case .remove(let place, let all): it = try .remove(coder.coded("remove", place), all: coder.coded("all", all, unless: false))
    case .logout: try coder.mark("logout")
    case .forget: try coder.mark("forget")
    case .cancelLinks: try coder.mark("cancelLinks")
    case .proceed: try coder.mark("proceed")
    case .none: try coder.mark("none")
    }
  }
}

extension Operation.Anchor: CodedWord {
  package static var blank: Operation.Anchor { .flow }
}
