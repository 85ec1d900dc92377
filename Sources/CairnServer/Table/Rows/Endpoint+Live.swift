import CairnAPI
import CairnCore

// Endpoints for streams of events and for tickets.
extension Endpoint {
  static let live: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/events", id: "listenToSession", topic: .live,
      summary: "Streams a session's changes as server-sent events",
      about:
        "If Last-Event-ID is missing, unknown or more than 1,000 entries old, the stream begins with the event `reset`, which contains the whole session.",
      who: .ticket,
      query: [Query.ticket, Query.lastEventID, Query.predict, Query.replica], headers: [.lastEventID, .prefer],
      answers: [
        .events(
          "The events, until the session ends, the service stops, or the credential is revoked.",
          ["change": .heardChange, "migrated": .heardMigration, "reset": .session, "end": .heardEnd])
      ],
      problems: [.unauthorized, .unknownSession, .tooManyStreams, .storage]
    ) { service, call throws(Rejection) in try service.live.streamSession(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/events/ticket", id: "sellTicket", topic: .live,
      summary: "Creates a ticket for the stream of a session's events", about: "The ticket opens one stream, once, within 30 s.",
      who: .session, answers: [.json(201, .ticket, "The ticket.")], problems: [.unauthorized, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.live.sellTicket(call) },
    Endpoint(
      method: .get, path: "/v1/events", id: "listenToAll", topic: .live,
      summary: "Streams the changes of all sessions as server-sent events",
      who: .operatorTicket, query: [Query.app, Query.label, Query.ticket, Query.lastEventID], headers: [.lastEventID],
      answers: [
        .events(
          "The events, until the service stops or the credential is revoked.",
          [
            "change": .heardChange, "migrated": .heardMigration, "started": .heardStart, "ended": .heardEnd, "reset": .heardReset,
            "end": .heardEnd,
          ])
      ], problems: [.unauthorized, .operatorOnly, .storage]
    ) { service, call throws(Rejection) in try service.live.streamAll(call) },
    Endpoint(
      method: .post, path: "/v1/events/ticket", id: "sellTicketForAll", topic: .live,
      summary: "Creates a ticket for the stream of all sessions' events",
      about: "The ticket opens one stream, once, within 30 s.", who: .operator, answers: [.json(201, .ticket, "The ticket.")],
      problems: [.unauthorized, .operatorOnly]
    ) { service, call throws(Rejection) in try service.live.sellTicketForAll(call) },
  ]

}
