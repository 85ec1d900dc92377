import CairnAPI
import CairnCore
import Foundation
import Testing

struct `Table of actions` {
  @Test func `each kind has its own row, and each word belongs to one kind`() {
    for kind in Action.Kind.allCases {
      #expect(ActionRow[kind].kind == kind)
      #expect(Action.Kind(word: kind.word) == kind)
    }
    #expect(Set(Action.Kind.allCases.map { ActionRow[$0].stored.description }).count == Action.Kind.allCases.count)
    #expect(Action.Kind(word: "swipe") == nil)
  }

  @Test(arguments: Action.Kind.allCases) func `the fields of a row have distinct names`(kind: Action.Kind) {
    let row = ActionRow[kind]
    for fields in [row.fields, row.posted] { #expect(Set(fields.map(\.name.description)).count == fields.count) }
    let stored = row.fields.compactMap { $0.stored?.description }
    #expect(Set(stored).count == stored.count)
  }

  @Test(
    arguments: [
      .step(Step("go", params: ["a": [1, "x"]]), from: NodeID(3)), .pop(count: 2, node: nil), .pop(count: 1, node: NodeID(4)),
      .popTo(.screen("home")), .popTo(.node(NodeID(2))), .popToRoot, .back, .dismiss(node: nil), .select(.tab(0), node: NodeID(1)),
      .select(.flow("shop"), node: nil), .gesture(.back, from: NodeID(3)), .gesture(.popToRoot, from: NodeID(3)),
      .gesture(.pop(count: 2, node: NodeID(5)), from: NodeID(3)), .gesture(.popTo(.screen("home")), from: NodeID(3)),
      .gesture(.popTo(.node(NodeID(2))), from: NodeID(3)), .gesture(.dismiss(node: NodeID(5)), from: NodeID(3)),
      .gesture(.select(.tab(1), node: NodeID(5)), from: NodeID(3)), .gesture(.select(.flow("shop"), node: nil), from: NodeID(3)),
      .push(.init("a")),
      .present(.init("a", params: ["p": .null]), style: .fullScreen, node: NodeID(5), replace: true),
      .set([.init("a"), .init("b", params: ["p": 1])]), .remove(node: NodeID(9)), .retry(key: "o7"),
      .login(hasCode: true, state: "s", error: "e", byOperator: true), .logout, .cancel(link: LinkID(3)), .cancelQuestion(QuestionID(2)),
      .cancelHeld(HeldID(4)), .contact,
      .token, .appState(.inactive),
      .facts(["f": .null]), .open(url: "u"),
      .notification(
        url: "u", category: nil, tap: false, appState: .killed, .init(values: ["v": 1], action: "a", reply: "", isSilent: true)),
      .advance(to: 5), .effect(id: 1, .due(tick: 2)), .effect(id: 1, .loaded(.null)), .effect(id: 1, .failed("")),
      .effect(id: 1, .exchanged), .effect(id: 1, .abandoned("r")),
    ] as [Action]) func `an action is restored from its kind and its values`(action: Action)
  {
    #expect(Action(action.kind, action.values) == action)
  }

  /// The actions that methods of the JavaScript client post, each with its type and the members that it has.
  private static let verbs: [(word: String, members: Set<String>)] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../clients/javascript/src/actions.js")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.matches(of: /this\.act\(\{ type: "(\w+)"(.*)\}, options\)/).map { match in
      // A member is a shorthand, or is followed by a colon and its value. The condition after `...(` is removed, as it names no member.
      let literals = match.2.replacing(/\.\.\.\([^?]*\?/, with: "").matches(of: /(?:^|[{,]) ?(\w+)(?=:|,| ?\}|$| $)/)
      return (String(match.1), Set(literals.map { String($0.1) }))
    }
  }()

  @Test func `the JavaScript client has a method for exactly the kinds that apps allow by default`() {
    // Only operators may post the other excluded kinds. The client posts `tick` by itself.
    let kinds = Action.Kind.posted.filter { !["push", "present", "set", "remove", "retry", "answer", "tick"].contains($0.word) }
    #expect(Set(Self.verbs.map(\.word)) == Set(kinds.map(\.word)))
  }

  @Test func `each method of the JavaScript client posts the fields of the row`() throws {
    for (word, members) in Self.verbs {
      let row = ActionRow[try #require(Action.Kind(word: word))]
      #expect(members.isSubset(of: row.posted.map(\.name.description)), "\(word)")
      for field in row.posted where field.isRequired { #expect(members.contains(field.name.description), "\(word)") }
    }
  }
}
