public import CairnCore

extension SessionClient {
  /// Posts one action. If `ifRevision` is given and is not the session's revision, the action is refused with `revision-mismatch`.
  @discardableResult
  public func act(_ action: SessionAction, ifRevision: Int? = nil) async throws(ClientError) -> ActionAnswer {
    seen.noting(try await requests.post("/actions", action.json, ifRevision: ifRevision).read())
  }

  /// Posts actions that are applied as a whole or not at all.
  @discardableResult
  public func act(_ actions: [SessionAction], ifRevision: Int? = nil) async throws(ClientError) -> ActionsAnswer {
    let answer: ActionsAnswer = try await requests.post("/actions", .array(actions.map(\.json)), ifRevision: ifRevision).read()
    seen.note(answer.revision, answer.visible, answer.tree)
    return answer
  }

  /// Opens a URL: a link of the app, or the redirect of an OAuth login.
  @discardableResult
  public func open(_ url: String, ifRevision: Int? = nil) async throws(ClientError) -> ActionAnswer {
    seen.noting(try await requests.post("/open", ["url": .string(url)], ifRevision: ifRevision).read())
  }

  /// Posts a notification: an APNs payload, or an FCM message.
  @discardableResult
  public func notify(_ payload: Value, _ manner: NotificationManner = NotificationManner()) async throws(ClientError) -> ActionAnswer {
    seen.noting(try await requests.post("/notifications", manner.body(payload), manner.parameters).read())
  }

  /// Returns the result that an action would have, without performing it.
  public func plan(_ action: SessionAction) async throws(ClientError) -> ActionAnswer {
    try await requests.post("/actions", action.json, isPlan: true).read()
  }

  /// Returns the results that the actions would have if they were performed in order, without performing them.
  public func plan(_ actions: [SessionAction]) async throws(ClientError) -> ActionsAnswer {
    try await requests.post("/actions", .array(actions.map(\.json)), isPlan: true).read()
  }

  /// Returns the result of opening a link, without opening it.
  public func planOpen(_ url: String) async throws(ClientError) -> ActionAnswer {
    try await requests.post("/open", ["url": .string(url)], isPlan: true).read()
  }

  /// Returns the result of delivering a notification, without delivering it.
  public func planNotify(_ payload: Value, _ manner: NotificationManner = NotificationManner()) async throws(ClientError) -> ActionAnswer {
    try await requests.post("/notifications", manner.body(payload), manner.parameters, isPlan: true).read()
  }
}
