import CairnAPI
import CairnCore

// Endpoints that change a session, and the endpoint of its history.
extension Endpoint {
  static let acting: [Endpoint] = [
    posting(
      "/v1/sessions/{id}/actions", "postActions", "Posts an action, an array of actions (all or none), or numbered actions", .actions,
      examples: [
        Example(name: "gesture", summary: "A gesture", body: ["type": "back"]),
        Example(
          name: "several", summary: "Several actions, of which all or none are performed",
          body: [["type": "token", "accessToken": "a-token"], ["type": "logout"]]),
      ]
    ) { service, call throws(Rejection) in try service.actions.postActions(call) },
    posting(
      "/v1/sessions/{id}/open", "openLink", "Opens a URL: a link of the app, or the redirect of an OAuth login", .link,
      examples: [Example(name: "link", summary: "A link", body: ["url": "https://qiita.com/items/abc"])]
    ) { service, call throws(Rejection) in try service.links.openLink(call) },
    posting(
      "/v1/sessions/{id}/notifications", "postNotification", "Delivers a notification", .notification,
      query: [Query.appState, Query.tap, Query.button, Query.reply, Query.plan],
      files: ["application/octet-stream": .shared(.notification)],
      examples: [
        Example(name: "apns", summary: "A payload file for simctl push", body: ["aps": ["alert": "New"], "url": "qiita://items/42"]),
        Example(name: "fcm", summary: "An FCM message", body: ["message": ["data": ["url": "qiita://items/42"]]]),
        Example(
          name: "reply", summary: "A notification with the user's reply",
          body: ["payload": ["aps": ["category": "chat"]], "reply": "On my way.\nIn ten minutes."]),
      ]
    ) { service, call throws(Rejection) in try service.links.postNotification(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/predictions", id: "predict", topic: .acting,
      summary: "Predicts the effect of each action on the session's current state",
      about: "No action is performed or stored. An action that would be refused has an error instead of an outcome.", who: .session,
      headers: [.ifMatch],
      body: Body(schema: .shared(.predictionRequest)),
      answers: [.json(200, .predictions, "The predictions, in the order of the actions.", .eTag)],
      problems: [
        .notJSON, .wrongShape, .unauthorized, .operatorOnly, .unknownSession, .revisionMismatch, .unsupportedMediaType, .storage,
      ],
      examples: [
        Example(name: "two", summary: "Two gestures", body: ["actions": [["type": "back"], ["type": "select", "tab": 0]]])
      ]
    ) { service, call throws(Rejection) in try service.actions.predict(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/history", id: "showHistory", topic: .sessions,
      summary: "Returns a session's history, oldest entry first",
      who: .session,
      query: [Query.afterRevision, Query.form, Query.since, Query.until, Query.historyTime, Query.entries],
      answers: [
        Reply(
          status: 200, about: "A page of entries; with `as=scenario`, a scenario file that starts where the session starts.",
          contents: [("application/json", .shared(.historyPage)), ("application/yaml", Schema(["type": "object"]))])
      ], problems: [.unauthorized, .unknownSession, .historyGone, .storage]
    ) { service, call throws(Rejection) in try service.history.showHistory(call) },
  ]

  private static func posting(
    _ path: String, _ id: String, _ summary: String, _ body: Component, query: [any DescribedParameter] = [Query.plan],
    files: [String: Schema] = [:],
    examples: [Example], run: @escaping Run
  ) -> Endpoint {
    let answer = body == .actions ? Component.posted : .performed
    let fields: [AnswerField] = [.eTag, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed]
    func reply(_ status: Int, _ about: String) -> Reply {
      Reply(status: status, about: about, contents: [("application/json", .shared(answer))], headers: fields)
    }
    // Only posts of actions can name the definition for which they were made.
    let ofDefinition: [ProblemCode] = body == .actions ? [.definitionChanged] : []
    return Endpoint(
      method: .post, path: path, id: id, topic: .acting, summary: summary, who: .session, query: query,
      headers: [.ifMatch, .idempotencyKey, .prefer],
      body: Body(schema: .shared(body), others: files),
      answers: [
        reply(200, "Accepted; the body contains the outcome."),
        reply(
          202,
          "Accepted, but pending: a link is held, the selection of a tab waits for its condition, an action is held for the clients, or a token is "
            + "requested."),
      ],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .unauthorized, .operatorOnly, .unknownSession, .revisionMismatch,
        .unsupportedMediaType, .idempotencyKeyReused, .responseForgotten, .contended, .uncertain, .storage,
      ] + ofDefinition,
      isRefusable: true, examples: examples, run: run)
  }
}
