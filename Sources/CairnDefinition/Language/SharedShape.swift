import CairnCore

/// Shapes that are used in many places. The raw value is the name in the schema.
enum SharedShape: String, CaseIterable, Sendable {
  case type, fact, params, arguments, screen, emits, step, steps, declaredStep, rule, flow, node, load, headers, retry, timer, listen,
    split, condition,
    place, handler, branch, operation, adaptation, link, linkStep, notifications, taking, suppression, oauth, variable

  var shape: Shape {
    switch self {
    case .type: .oneOf([.word(SharedShape.typeWords), .object(.type)])
    case .fact: .oneOf([.word(SharedShape.typeWords), .object(.fact)])
    case .params: .map(of: .shared(.type))
    case .arguments: .orNull(.map(of: .any))
    case .screen: .orNull(.object(.screen))
    case .step: .oneOf([.text, .object(.step)])
    case .emits: .orNull(.oneOf([.list(of: .text), .map(of: .orNull(.shared(.params)))]))
    case .steps: .orNull(.map(of: .shared(.declaredStep)))
    case .declaredStep:
      .orNull(
        .map(
          of: .shared(.type),
          beside: [
            .init(
              "by", .oneOf([.word(["operator"]), .shared(.type)]), "operator: an operator posts the step, and the root flow handles it.")
          ]))
    case .rule: .object(.rule)
    case .flow: .object(.flow)
    case .node: .oneOf([.text, .object(.node)])
    case .load: .object(.load)
    case .headers: .orNull(.map(of: .oneOf([.text, .flag, .whole(atLeast: 0), .object(.header)])))
    case .retry: .oneOf([.whole(atLeast: 1), .object(.retry)])
    case .timer: .object(.timer)
    case .listen: .orNull(.object(.listen))
    case .split: .object(.split)
    case .place: .oneOf([.text, .object(.place)])
    case .condition: .oneOf(MemberTable.subjects.map { .object(.condition(on: $0)) })
    case .handler:
      .oneOf([
        .shared(.operation), .shared(.branch), .list(of: .shared(.operation)), .list(of: .shared(.branch), atLeast: 1),
      ])
    case .branch: .object(.branch)
    case .operation:
      .oneOf([.word(OperationWord.alone.map(\.rawValue))] + OperationWord.allCases.map { .object($0.table) })
    case .adaptation: .object(.adaptation)
    case .link: .object(.link)
    case .linkStep: .oneOf([.text, .object(.linkStep)])
    case .notifications: .orNull(.object(.notifications))
    case .taking: .object(.taking)
    case .suppression: .object(.suppression)
    case .oauth: .object(.oauth)
    case .variable: .object(.variable)
    }
  }

  /// A description for authors, shown by their editor.
  var about: String {
    switch self {
    case .type: "A type; with optional before it, the value may be missing."
    case .fact: "The type of a fact, and the source of its initial value."
    case .params: "The types of params, by name."
    case .arguments: "The values of params: literals or $references."
    case .screen: "A screen, a leaf of the tree: its params, and the steps that it may send."
    case .step: "A step that is sent: its name, or a map with step, with and to."
    case .emits: "Steps that clients may send: a list of names, or a map that declares them with their params."
    case .steps: "Steps by name, with their params."
    case .declaredStep: "A step, a named intention: its params by name."
    case .rule: "A rule: a step that is sent (default: to the root flow) when a fact is written and a condition is true."
    case .flow: "An area of navigation: one container, and handlers for steps."
    case .node: "A screen's name, or a map with screen or flow."
    case .load: "A load, which writes a value into the content of a node."
    case .headers: "Headers by name: a value, or an environment variable."
    case .retry: "The number of retries, or a map with count and backoff."
    case .timer: "A step that is sent later, once or repeatedly."
    case .listen: "Whether the screen may send steps while it is covered or after it was removed."
    case .split: "A list of nodes for the left column, and one for the right."
    case .place:
      "A place: the name of a screen or flow, or a map with screen or flow and the params that the node must have; the nearest node is meant."
    case .condition: "A condition on facts, params, content, flows and what is visible."
    case .handler: "One operation, a list of operations in order, or a list of branches; [] does nothing."
    case .branch: "Operations that run if a condition is true."
    case .operation: "An operation: a word, or a map with the operation's name."
    case .adaptation: "A step that replaces another one before the flow handles it."
    case .link: "A deep link: the URLs that it matches, and the steps that it sends."
    case .linkStep: "A step of a link; without with, each param gets the capture of the same name."
    case .notifications: "Where a remote notification's payload has its link, and when a notification is not shown."
    case .taking: "The effect of a message without a link of its own: a step, or a URL."
    case .suppression: "A condition under which notifications are not shown."
    case .oauth: "The OAuth provider, by the names of environment variables."
    case .variable: "An environment variable."
    }
  }

  /// Examples for an editor's completion.
  var examples: [Value] {
    switch self {
    case .fact: [["type": "boolean", "default": false], ["type": "string", "env": "SHOP_URL"]]
    case .type: [["type": "integer", "in": [1, 2, 3]]]
    case .screen: [["params": ["id": "integer"], "emits": ["productPicked": ["id": "integer"]]]]
    case .emits: [["productPicked": ["id": "integer"], "cartOpened": .null], ["cartOpened"]]
    case .step: [["step": "productPicked", "with": ["id": "$id"]]]
    case .declaredStep: [["id": "integer"], ["by": "operator"]]
    case .rule: [["when": ["fact": "accessToken", "is": "absent"], "send": "welcomeNeeded"]]
    case .flow: [["stack": "home", "handle": ["productPicked": ["push": "product", "with": ["id": "$id"]]]]]
    case .node: [["flow": "settings", "start": "settingsRequested"]]
    case .load: [["get": "https://api.example/items", "then": ["step": "itemsLoaded", "with": ["items": "$result.items"]]]]
    case .headers: [["Accept-Language": "de", "X-Api-Key": ["env": "SHOP_API_KEY"]]]
    case .retry: [3, ["count": 3, "backoff": "500ms"]]
    case .timer: [["after": "5s", "send": "timeElapsed"]]
    case .place: ["home", ["screen": "product", "with": ["id": "$id"]]]
    case .condition: [["fact": "onBoarded", "is": true], ["visible": "home"], ["all": [["param": "isActive"], ["flow": "settings"]]]]
    case .handler: [[["when": ["fact": "onBoarded"], "do": ["push": "home"]], ["do": ["push": "welcome"]]]]
    case .operation: ["dismiss", ["push": "product", "with": ["id": "$id"]], ["present": ["flow": "settings"], "style": "sheet"]]
    case .adaptation: [["when": ["fact": "aboutAllowed", "is": false], "to": "unauthorized"]]
    case .link: [["host": "shop.example", "scheme": "shop", "path": "/products/{id}", "send": "productPicked"]]
    case .taking: [["category": "order", "how": ["tap", "foreground"], "send": "orderPicked"]]
    case .suppression: [["category": "promo", "when": ["fact": "accessToken", "is": "absent"]]]
    case .variable: [["env": "SHOP_CLIENT_ID"]]
    case .params, .arguments, .steps, .listen, .split, .branch, .linkStep, .notifications, .oauth: []
    }
  }

  static let typeWords = ParameterDefinition.Kind.allCases.map(\.rawValue).flatMap { [$0, ParameterDefinition.optionalWord + $0] }
}
