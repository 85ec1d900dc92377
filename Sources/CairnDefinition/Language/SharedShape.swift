import CairnCore

/// Shapes that are used in many places. The raw value is the name in the schema.
enum SharedShape: String, CaseIterable, Sendable {
  case type, fact, params, arguments, screen, emits, step, steps, declaredStep, rule, flow, node, load, submission, headers, retry, timer,
    listen,
    split, condition,
    place, handler, asking, branch, operation, adaptation, link, linkStep, notifications, taking, suppression, oauth, variable

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
              "by", .oneOf([.word(["operator"]), .shared(.type)]),
              "`operator`: only operators can post the step, and the root flow receives it. With a type, `by` is a param of the step.")
          ]))
    case .rule: .object(.rule)
    case .flow: .object(.flow)
    case .node: .oneOf([.text, .object(.node)])
    case .load: .object(.load)
    case .submission: .object(.submission)
    case .headers: .orNull(.map(of: .oneOf([.text, .flag, .whole(atLeast: 0), .object(.header)])))
    case .retry: .oneOf([.whole(atLeast: 1), .object(.retry)])
    case .timer: .object(.timer)
    case .listen: .orNull(.object(.listen))
    case .split: .object(.split)
    case .asking: .oneOf([.constant(true), .shared(.step), .object(.asking)])
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
    case .type: "Type of a value: one of the words, or a map. With `optional` before it, the value may be missing."
    case .fact: "Type of a fact, and the source of its value."
    case .params: "Params by name, each with its type."
    case .arguments: "Values of params by name: literals, or references such as `$id`."
    case .screen: "A screen: what a user sees, with its params and the steps that it may send."
    case .step: "A step to send: its name, or a map with `step`, `with` and `to`."
    case .emits: "Steps that clients may send: a list of their names, or a map that also declares their params."
    case .steps: "Steps that no `emits` declares, by name, with their params."
    case .declaredStep: "Params of a step by name, and `by: operator` if only operators can post it."
    case .rule: "A rule: a step that is sent when a fact is written and a condition is true (default recipient: the root flow)."
    case .flow: "A flow: an area of navigation with one container (stack, tabs, switch, split or screen) and handlers for steps."
    case .node: "A node to create: the name of a screen or flow, or a map with `screen` or `flow` and further members."
    case .load: "A load: a value, or an HTTP request whose response is written into the content of a node."
    case .submission: "A message: a POST request of the session, which is sent once for each key."
    case .headers: "HTTP headers by name: a value, or `{ env: NAME }` for an environment variable of the service."
    case .retry: "Number of retries from 1 to \(Retry.limit), or a map with `count` and `backoff`."
    case .timer: "A timer: a step that is sent later, once or repeatedly."
    case .listen: "Situations in which a screen that is not visible may send steps (default: none)."
    case .asking:
      "A guard: the step that asks before a gesture removes the node, a map with `when` and `ask`, or `true` to refuse such gestures."
    case .split: "Nodes of a split: `master` has one node or a list of nodes in the left column, `detail` the node in the right column."
    case .place:
      "A place: the name of a screen or flow, or a map with `screen` or `flow` and the params of the node. A place stands for the nearest such node."
    case .condition: "A condition: a test of a fact, param or content, of the screens and flows that exist, or a combination of conditions."
    case .handler: "Reaction of a flow to a step: one operation, a list of operations in order, or a list of branches; `[]` does nothing."
    case .branch: "A branch of a handler: operations that run if a condition is true."
    case .operation: "An operation: a word such as `pop`, or a map with the operation's name, such as `{ push: home }`."
    case .adaptation: "A replacement: a step that replaces another one before the flow handles it."
    case .link: "A deep link: the URLs that it matches, and the steps that it sends."
    case .linkStep: "A step that a link sends; without `with`, each param gets the capture of the same name."
    case .notifications:
      "Push notifications: where the payload contains links and values, what a message does, and which messages are not shown."
    case .taking: "Effect of a message: a step that is sent, or a URL that is opened."
    case .suppression: "Messages that are not shown while a condition is true."
    case .oauth: "Login provider (OAuth 2). Environment variables contain the values that differ between installations."
    case .variable: "Value of an environment variable of the service."
    }
  }

  /// Examples for an editor's completion.
  var examples: [Value] {
    switch self {
    case .fact: [["type": "boolean", "default": false], ["type": "string", "env": "SHOP_URL"]]
    case .type: [["type": "integer", "in": [1, 2, 3]], ["type": "list", "of": ["type": "string", "maxLength": 20], "maxItems": 5]]
    case .screen: [["params": ["id": "integer"], "emits": ["productPicked": ["id": "integer"]]]]
    case .emits: [["productPicked": ["id": "integer"], "cartOpened": .null], ["cartOpened"]]
    case .step: [["step": "productPicked", "with": ["id": "$id"]]]
    case .declaredStep: [["id": "integer"], ["by": "operator"]]
    case .rule: [["when": ["fact": "accessToken", "is": "absent"], "send": "welcomeNeeded"]]
    case .flow: [["stack": "home", "handle": ["productPicked": ["push": "product", "with": ["id": "$id"]]]]]
    case .node: [["flow": "settings", "start": "settingsRequested"]]
    case .load: [["get": "https://api.example/items", "then": ["step": "itemsLoaded", "with": ["items": "$result.items"]]]]
    case .submission:
      [["post": "https://api.example/payments", "key": "$orderId", "body": ["amount": "$amount"], "then": "paid", "else": "paymentFailed"]]
    case .headers: [["Accept-Language": "de", "X-Api-Key": ["env": "SHOP_API_KEY"]]]
    case .retry: [3, ["count": 3, "backoff": "500ms"]]
    case .timer: [["after": "5s", "send": "timeElapsed"]]
    case .asking: ["leaveAsked", ["when": ["content": "isChanged"], "ask": "leaveAsked"]]
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

  static let typeWords = (ParameterDefinition.Kind.allCases.map(\.rawValue) + ParameterDefinition.listWords).flatMap {
    [$0, ParameterDefinition.optionalWord + $0]
  }
}
