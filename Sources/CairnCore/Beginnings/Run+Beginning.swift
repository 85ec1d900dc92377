extension Run {
  /// Does what the action itself says; the turns of the steps that it queues follow. A refusal means that nothing of it happened.
  mutating func begin(_ action: Action) throws(Refusal) -> NoChange? {
    switch action {
    case .step(let step, let from): try PostedSteps.post(&self, step, from: from)
    case .pop, .popTo, .popToRoot, .back, .dismiss, .select: return try Gestures.perform(&self, action)
    case .push, .present, .set, .remove: return try Primitives.perform(&self, action)
    case .login(let hasCode, let oauthState, let error, let byOperator):
      try Logins.begin(&self, hasCode: hasCode, oauthState: oauthState, error: error, byOperator: byOperator)
    case .logout: Logins.logout(&self)
    case .cancel(let link): try HeldLinks.cancel(&self, link)
    case .token: Logins.tokenArrived(&self)
    case .appState(let activity): try AppActivity.tell(&self, activity)
    case .facts(let values): try Facts.set(&self, facts: values)
    case .open(let url): try Links.open(&self, url)
    case .notification(let url, let category, let tap, let appState, let message):
      return try Notifications.take(&self, url: url, category: category, tap: tap, appState: appState, message)
    case .advance(let time): state.manualTime = max(time, state.manualTime ?? time)
    case .effect(let id, let completion):
      isEndOfEffect = true
      try EffectEnds.complete(&self, id, completion)
    }
    return nil
  }
}
