import CairnAPI
import CairnCore

// Endpoints for streams of events and for tickets.
extension Endpoint {
  static let live: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/events", id: "listenToSession", topic: .live,
      summary: "Tells each change as it comes, as server-sent events",
      about: "Without an id that is known, or too far behind, it begins with reset: the whole session.", who: .ticket,
      query: [Query.ticket, Query.lastEventID, Query.predict, Query.replica], headers: [.lastEventID, .prefer],
      answers: [
        .events(
          "Until the session, the service or the credential ends.",
          ["change": .heardChange, "migrated": .heardMigration, "reset": .session, "end": .heardEnd])
      ],
      problems: [.unauthorized, .unknownSession, .tooManyStreams, .storage]
    ) { service, call throws(Rejection) in try service.live.streamSession(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/events/ticket", id: "sellTicket", topic: .live,
      summary: "Gives a ticket for the session's events", about: "It is good once, for half a minute.",
      who: .session, answers: [.json(201, .ticket, "The ticket.")], problems: [.unauthorized, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.live.sellTicket(call) },
    Endpoint(
      method: .get, path: "/v1/events", id: "listenToAll", topic: .live,
      summary: "Tells each change of all sessions as it comes, as server-sent events",
      who: .operatorTicket, query: [Query.app, Query.label, Query.ticket, Query.lastEventID], headers: [.lastEventID],
      answers: [
        .events(
          "Until the service or the credential ends.",
          [
            "change": .heardChange, "migrated": .heardMigration, "started": .heardStart, "ended": .heardEnd, "reset": .heardReset,
            "end": .heardEnd,
          ])
      ], problems: [.unauthorized, .operatorOnly, .storage]
    ) { service, call throws(Rejection) in try service.live.streamAll(call) },
    Endpoint(
      method: .post, path: "/v1/events/ticket", id: "sellTicketForAll", topic: .live,
      summary: "Gives a ticket for the events of all sessions",
      about: "It is good once, for half a minute.", who: .operator, answers: [.json(201, .ticket, "The ticket.")],
      problems: [.unauthorized, .operatorOnly]
    ) { service, call throws(Rejection) in try service.live.sellTicketForAll(call) },
  ]

}
