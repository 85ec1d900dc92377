import CairnCore

/// The keyword of an operation. It determines the other members of the operation, and the function that reads the operation.
enum OperationWord: String, CaseIterable, Sendable {
  case push, replace, set, present, overlay, detail, pop, popTo, reveal, bring, select, show, end, finish, send, write
  case content, load, submit, timer, cancel, remove
  case dismiss, popToRoot, proceed, logout, forget

  /// The operation words of an earlier version of the language, each with the word that replaces it.
  static let former: [String: OperationWord] = [
    "tabs": .set, "split": .set, "give": .finish, "forward": .send, "clear": .write, "after": .timer,
  ]

  /// The operation's word; `nil` for the operation that does nothing.
  init?(_ operation: Operation) {
    let word: OperationWord? =
      switch operation {
      case .push: .push
      case .replace: .replace
      case .set, .tabs, .split, .show(_, nil): .set
      case .pop: .pop
      case .popTo: .popTo
      case .popToRoot: .popToRoot
      case .reveal: .reveal
      case .bring: .bring
      case .present: .present
      case .overlay: .overlay
      case .dismiss: .dismiss
      case .detail: .detail
      case .select: .select
      case .show: .show
      case .end: .end
      case .give: .finish
      case .forward: .send
      case .write, .clear: .write
      case .content: .content
      case .load: .load
      case .submit: .submit
      case .after: .timer
      case .cancel, .cancelLinks: .cancel
      case .logout: .logout
      case .remove: .remove
      case .proceed: .proceed
      case .forget: .forget
      case .none: nil
      }
    guard let word else { return nil }
    self = word
  }

  /// The operations that can be written as a keyword without a value.
  static let alone: [OperationWord] = [.dismiss, .popToRoot, .pop, .finish, .proceed, .logout, .forget]

  /// The keywords of operations whose maps may contain other keywords as members. If a map contains a keyword of this list, that keyword
  /// determines the operation.
  static let leading: [OperationWord] = [.present, .overlay, .push, .set, .detail, .replace]

  static let names = allCases.map(\.rawValue)
}

extension OperationWord {
  /// The members of the operation's map: first the keyword, then the optional members.
  var table: MemberTable {
    switch self {
    case .push:
      own(
        .shared(.node), "Pushes a node onto the nearest stack: the flow's own or, without one, the nearest stack around it.",
        MemberTable.beside.members)
    case .replace: own(.shared(.node), "Replaces the top node of the nearest stack.", MemberTable.beside.members)
    case .set:
      own(
        .oneOf([.shared(.node), .list(of: .shared(.node), atLeast: 1), .shared(.split)]),
        "Replaces the nodes of the flow's own container: those of its stack, its tabs, the flow that a switch shows, or the columns of a split.",
        MemberTable.beside.members + [
          .init("keep", .flag, "Whether nodes of the stack that already match are kept, from the bottom up (default: false).")
        ])
    case .present:
      own(
        .shared(.node), "Presents a node as a modal over the flow or, with `level`, over the whole app.",
        MemberTable.beside.members + [
          .init(
            "style", .words(PresentationStyle.self),
            "Presentation style for clients (default: `sheet`). A modal with the style `alert` also closes when it sends a step."),
          .init(
            "of", .words(Operation.Anchor.self),
            "Owner of the modal: the flow (default) or the sending screen. The modal covers its owner, and is removed with it."),
          .init(
            "replace", .flag,
            "Whether the modal replaces the one that its owner or level already has. By default (false) the step is then refused."
          ),
          .init(
            "level", .whole(atLeast: 1),
            "Level above the whole app, from 1 to 255, for a lock or a login; a higher level covers a lower one."),
          .init("queue", .flag, "Whether the modal waits while another modal is on its level (default: false); needs `level`."),
          .init(
            "sealed", .flag,
            "Whether no action reaches a node under the modal, not even an action that the user made before the modal was presented (default: false). Use it for a lock or a forced update."
          ),
        ], former: [Self.on])
    case .overlay:
      own(
        .shared(.node),
        "Shows an overlay: a screen, such as a banner, over the app and its modals. It covers nothing, and Back does not dismiss it.",
        MemberTable.ofOverlay + [
          .init("slot", .text, "Slot of the overlay: a name such as `top`. Each slot shows one overlay at a time.", isRequired: true),
          .init("for", .text, "Time after which the overlay closes, such as `8s`; only the time during which the overlay is shown counts."),
          .init(
            "replace", .flag, "Whether the overlay replaces the one in its slot. By default (false) the step is then refused."),
          .init("queue", .flag, "Whether the overlay waits while another one is in its slot (default: false)."),
        ])
    case .detail: own(.shared(.node), "Replaces the node in the right column of the flow's split.", MemberTable.beside.members)
    case .pop: own(.whole(atLeast: 1), "Pops this number of nodes from the stack (default: 1). The node at the bottom stays.")
    case .popTo: own(.shared(.place), "Pops all nodes above the nearest screen or flow at this place.")
    case .reveal:
      own(
        .shared(.place),
        "Brings the nearest screen or flow at this place to the front by dismissing, selecting and popping what is in front of it.")
    case .bring:
      own(
        .shared(.place),
        "Moves the nearest screen or flow at this place to the top of its stack. The node keeps its content, timers and modals.")
    case .select:
      own(
        .oneOf([.whole(atLeast: 0), .shared(.place)]),
        "Selects a tab: by its number (from 0), a reference such as `$index` to the number, or the name of its flow.")
    case .show: own(.object(.show), "Shows a flow of a switch and, with `screen`, pushes this screen onto the flow's stack.")
    case .end:
      own(
        .shared(.step),
        "Ends the flow and sends a step (default recipient: the parent flow). The flow's node stays until a handler removes it.")
    case .finish:
      own(
        .shared(.arguments),
        "Ends the flow and removes its node. The value has the members of the result that the flow declares in `gives`. Without `gives`, write only the word `finish`."
      )
    case .send:
      own(
        .oneOf([.text, .list(of: .shared(.step), atLeast: 1)]),
        "Sends a step, or a list of steps (default recipient: this flow if it handles the step, otherwise its parent flow).",
        [
          .init(
            "with", .shared(.arguments),
            "Values of the step's params; without this member, each param gets the handled step's param of the same name."), .to,
        ])
    case .write: own(.map(of: .any, atLeast: 1), "Writes facts, by name. `null` resets a fact to its default, or removes its value.")
    case .content:
      own(
        .map(of: .any, atLeast: 1),
        "Writes values into the content of a node, by path such as `a.b`; `{ add: NUMBER }` adds to a number, and `{ remove: true }` removes a member. For `add`, a missing member counts as 0.",
        [
          .init(
            "of", .shared(.place), "Screen or flow whose content is written: the nearest one at this place (default: the sending screen).")
        ])
    case .load:
      own(
        .shared(.load), "Starts a load, whose result is written into the content of its owner.",
        [
          .init(
            "of", .oneOf([OperationWord.anchors, .shared(.place)]),
            "Owner of the load: `screen` (the sending one, default), `flow`, or the nearest node at this place. The result is written into its content, and the load ends with it."
          )
        ],
        former: [Self.on])
    case .submit:
      own(
        .shared(.submission),
        "Sends a message: a POST that belongs to the session. Only its response, its failure or the end of the session ends it. Each key has only one message."
      )
    case .timer:
      own(
        .shared(.timer), "Starts a timer, which sends a step later.",
        [.init("of", OperationWord.anchors, "Owner of the timer, with which it ends: `screen` (the sending one, default) or `flow`.")],
        former: [Self.on])
    case .cancel:
      own(
        .text,
        "Cancels the timers of this name. `all`: all timers and loads of the sending screen and the nodes in it; `links`: the held links.")
    case .remove:
      own(
        .shared(.place), "Removes the nearest screen or flow at this place from its stack, or a modal, and keeps the nodes above it.",
        [.init("all", .flag, "Whether all nodes at this place are removed, in every stack (default: false).")])
    case .dismiss:
      own(
        .oneOf([.null, .shared(.place)]),
        "Dismisses the modal that contains the sending screen or that the flow presents. With a place, dismisses the nearest modal at that place."
      )
    case .popToRoot: own(.null, "Pops all nodes of the stack except the one at its bottom.")
    case .proceed:
      own(
        .null,
        "Performs, after this step, the action that a guard has stopped. If the action removes other guarded nodes, the next guard asks first."
      )
    case .logout: own(.null, "Logs out: removes the access token and drops the held links. Rules on `accessToken` are evaluated.")
    case .forget: own(.null, "Deletes the session's history up to and including this action; nodes and facts stay.")
    }
  }

  private func own(
    _ shape: Shape, _ about: String, _ beside: [MemberTable.Member] = [], former: [MemberTable.Former] = []
  ) -> MemberTable {
    let former = former + (beside.contains { $0.name == "guard" } ? MemberTable.beside.former : [])
    return MemberTable([.init(rawValue, shape, about, isRequired: true)] + beside, former: former)
  }

  private static let anchors = Shape.words(Operation.Anchor.self)
  private static let on = MemberTable.Former.renamed("on", to: "of", anchors)
}

extension OperationReader {
  /// Reads an operation. `value` is the keyword's value; `fields` contains all members of the operation's map. Returns no operation after reporting an error.
  func operations(_ word: OperationWord, _ value: Element, _ fields: Fields, in scope: Surroundings) -> [Operation] {
    switch word {
    case .send: steps.send(value, fields, in: scope)
    case .write: writes.write(value, in: scope)
    default: operation(word, value, fields, in: scope).map { [$0] } ?? []
    }
  }

  private func operation(_ word: OperationWord, _ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    switch word {
    case .push: nodes.contribution(value, "`\(word.rawValue)`", in: scope, beside: fields).map(Operation.push)
    case .replace: nodes.contribution(value, "`\(word.rawValue)`", in: scope, beside: fields).map(Operation.replace)
    case .detail:
      needs(.split, word, fields) ? nodes.contribution(value, "`\(word.rawValue)`", in: scope, beside: fields).map(Operation.detail) : nil
    case .set: containers.set(value, fields, in: scope)
    case .present: modals.present(value, fields, in: scope)
    case .overlay: modals.overlay(value, fields, in: scope)
    case .show: needs(.oneOf, word, fields) ? containers.show(value, in: scope) : nil
    case .select: select(value, in: scope)
    case .pop: pop(value)
    case .popTo: places.place(value, "`\(word.rawValue)`", in: scope).map(Operation.popTo)
    case .reveal: places.place(value, "`\(word.rawValue)`", in: scope).map(Operation.reveal)
    case .bring: places.place(value, "`\(word.rawValue)`", in: scope).map(Operation.bring)
    case .remove: places.place(value, "`\(word.rawValue)`", in: scope).map { .remove($0, all: flag(fields["all"], "`all`")) }
    case .end: steps.end(value, in: scope)
    case .finish: finish(value, in: scope)
    case .content: writes.content(value, fields, in: scope)
    case .load: loads.loadOperation(value, fields, in: scope)
    case .submit: submissions.submission(value, in: scope).map(Operation.submit)
    case .timer: timers.timer(value, in: scope).map { .after($0, on: anchor(fields, .screen)) }
    case .cancel: timers.cancel(value)
    // A plain name may be the name of a screen or of a flow.
    case .dismiss where value.isNull: .dismiss(nil)
    case .dismiss: places.place(value, "`\(word.rawValue)`", in: scope).map { .dismiss(value.text == nil ? $0 : Place(.any, $0.name)) }
    case .popToRoot: withoutValue(.popToRoot, word, value)
    case .proceed: withoutValue(.proceed, word, value)
    case .logout: withoutValue(.logout, word, value)
    case .forget: withoutValue(.forget, word, value)
    case .send, .write: nil
    }
  }
}
