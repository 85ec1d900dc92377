import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// The identity of a notification, from a member or header that the definition names.
extension Service {
  /// The fingerprint of a notification's event; `nil` if the definition names no place for the id, or the request has none there.
  func message(
    _ request: NotificationRequest, _ definition: NotificationDefinition, tap: Bool, _ call: Call
  ) throws(Rejection) -> Fingerprint? {
    guard !definition.idPlaces.isEmpty else { return nil }
    for place in definition.idPlaces {
      let id = place.hasPrefix("/") ? try Self.taken { () throws(BodyFault) in try request.id(at: place) } : try header(place, of: call)
      if let id { return derivation.message(id, tap: tap, action: request.action, reply: request.reply) }
    }
    return nil
  }

  /// The fingerprint of a cold start's notification, which counts as tapped; `nil` as above.
  func message(_ arrival: CreationRequest.Arrival?, _ definition: Definition, _ call: Call) throws(Rejection) -> Fingerprint? {
    guard case .notification(let payload)? = arrival, !definition.notifications.idPlaces.isEmpty else { return nil }
    let request = try Self.taken { () throws(BodyFault) in try NotificationRequest(payload) }
    return try message(request, definition.notifications, tap: true, call)
  }

  private func header(_ name: String, of call: Call) throws(Rejection) -> String? {
    let lower = name.lowercased()
    let values = call.request.headers.fields.filter { $0.name.lowercased() == lower }.map(\.value)
    guard let value = values.first, !value.isEmpty else { return nil }
    guard values.count == 1, value.utf8.count <= NotificationRequest.idLimit else {
      throw Rejection(.badRequest, "\(name) must be given once, with at most \(NotificationRequest.idLimit) bytes")
    }
    return value
  }
}
