import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints that open a link or deliver a notification in a session.
final class LinkEndpoints: Sendable {
  private let access: Access
  private let responses: SessionResponses
  private let once: OnceReplies
  private let posting: Posting

  init(_ access: Access, _ responses: SessionResponses, _ once: OnceReplies, _ posting: Posting) {
    self.access = access
    self.responses = responses
    self.once = once
    self.posting = posting
  }

  func openLink(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    access.withSession(call) { session, role throws(Rejection) in
      let request = try call.body { body throws(BodyFault) in try OpenRequest(body) }
      let style = self.responses.style(of: call, on: session, isPlan: isPlan)
      try self.posting.submit([.open(url: request.url)], style, to: session, as: role, call)
    }
  }

  func postNotification(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let appState = query.read(Query.appState) ?? .background
    let tap = query.read(Query.tap) ?? true
    let action = query.read(Query.button)
    let reply = query.read(Query.reply)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    access.withSession(call) { session, role throws(Rejection) in
      let request = try call.body(isFile: true) { body throws(BodyFault) in
        try NotificationRequest(body.value, action: action, reply: reply)
      }
      let notifications = session.definition.definition.notifications
      let command = try Call.taken { () throws(BodyFault) in try request.command(notifications, tap: tap, appState: appState) }
      let style = self.responses.style(of: call, on: session, isPlan: isPlan, url: request.linkPointer(notifications))
      try self.posting.submit(
        [command], style, to: session, as: role, call,
        message: try self.once.derivation.message(request, notifications, tap: tap, call))
    }
  }
}

// Derives the identity of a notification from a member or header that the definition names.
extension Derivation {
  /// Returns the fingerprint of a notification's event. Returns `nil` if the definition names no source of the notification's id, or if the
  /// request has no id in the named sources.
  func message(
    _ request: NotificationRequest, _ definition: NotificationDefinition, tap: Bool, _ call: Call
  ) throws(Rejection) -> Fingerprint? {
    guard !definition.idPlaces.isEmpty else { return nil }
    for place in definition.idPlaces {
      let id = place.hasPrefix("/") ? try Call.taken { () throws(BodyFault) in try request.id(at: place) } : try header(place, of: call)
      if let id { return message(id, tap: tap, action: request.action, reply: request.reply) }
    }
    return nil
  }

  /// Returns the fingerprint of the notification that caused a cold start; `nil` if no notification caused it or the notification has no
  /// id. The notification counts as tapped.
  func message(_ arrival: CreationRequest.Arrival?, _ definition: Definition, _ call: Call) throws(Rejection) -> Fingerprint? {
    guard case .notification(let payload)? = arrival, !definition.notifications.idPlaces.isEmpty else { return nil }
    let request = try Call.taken { () throws(BodyFault) in try NotificationRequest(payload) }
    return try message(request, definition.notifications, tap: true, call)
  }

  private func header(_ name: String, of call: Call) throws(Rejection) -> String? {
    let lower = name.lowercased()
    let values = call.request.headers.fields.filter { $0.name.lowercased() == lower }.map(\.value)
    guard let value = values.first, !value.isEmpty else { return nil }
    guard values.count == 1, value.utf8.count <= NotificationRequest.idLimit else {
      throw Rejection(.badRequest, "\(name) must be given only once, and have at most \(NotificationRequest.idLimit) bytes")
    }
    return value
  }
}
