import CairnAPI
import CairnCore

// Endpoints that bring running sessions to another definition, and back.
extension Endpoint {
  static let migrations: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/apps/{app}/migrations", id: "listMigrations", topic: .releases, summary: "Lists the migrations of an app",
      who: .operator, answers: [.json(200, .migrations, "Without their texts.")],
      problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.migrations.listMigrations(call) },
    Endpoint(
      method: .put, path: "/v1/apps/{app}/migrations/{from}/{to}", id: "putMigration", topic: .releases,
      summary: "Puts a migration: how sessions move from one definition to another",
      about:
        "Both definitions must be known. A document that leaves something open is rejected with all places. Sessions are not moved by this; "
        + "requests that were made for the old definition are translated from now on.",
      who: .operator,
      body: Body(
        schema: Schema(["type": "object"]).about("A migration, as docs/releases.md tells."),
        others: ["application/yaml": Schema(["type": "object"]), "text/yaml": Schema(["type": "object"])]),
      answers: [.json(200, .migration, "It is stored.")],
      problems: [
        .unauthorized, .operatorOnly, .methodNotAllowed, .notFound, .unsupportedMediaType, .invalidMigration, .storage,
      ]
    ) { service, call throws(Rejection) in try service.migrations.putMigration(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/migrations/{from}/{to}", id: "showMigration", topic: .releases,
      summary: "Shows a migration's document", who: .operator,
      answers: [Reply(status: 200, about: "As JSON.", contents: [("application/json", Schema(["type": "object"]))])],
      problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.migrations.showMigration(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/migrate", id: "migrateSession", topic: .releases,
      summary: "Moves one session to another definition", who: .operator, query: [Query.plan],
      headers: [.ifMatch, .idempotencyKey, .prefer],
      body: Body(schema: .shared(.migrationRequest)),
      answers: [
        .json(
          200, .performed, "The outcome; unchanged if the session has that definition.", .eTag, .preferenceApplied, .idempotencyExpires,
          .idempotencyReplayed)
      ],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .notFound, .noMigration, .notMigrated, .revisionMismatch,
        .unsupportedMediaType, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.migrations.migrateSession(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/undo", id: "undo", topic: .releases, summary: "Takes a session back to a revision",
      about:
        "The tree, the facts and the content are restored, in a new revision. Token and login stay. No effect is started; effects that ran "
        + "then and still run go on.", who: .operator, headers: [.ifMatch, .idempotencyKey, .prefer],
      body: Body(schema: .shared(.undoRequest)),
      answers: [.json(200, .performed, "The outcome.", .eTag, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed)],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .unknownRevision, .historyGone, .revisionMismatch,
        .unsupportedMediaType, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.migrations.undo(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/forget", id: "forget", topic: .sessions, summary: "Forgets a session's history",
      about:
        "Entries up to a revision, and the stored responses of that time, can no longer be read and are erased soon. The state of that revision "
        + "stays as the new beginning. A repeated request changes nothing.", who: .operator,
      headers: [.ifMatch, .idempotencyKey], body: Body(schema: .shared(.forgetRequest)),
      answers: [.json(200, .forgotten, "Where the history begins now.", .idempotencyExpires, .idempotencyReplayed)],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .unknownRevision, .revisionMismatch, .unsupportedMediaType,
        .contended, .uncertain, .storage,
      ]
    ) { service, call throws(Rejection) in try service.history.forget(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/rollouts", id: "showRollout", topic: .releases, summary: "Shows the newest rollout of an app",
      who: .operator, answers: [.json(200, .rollout, "The newest rollout.")], problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.rollouts.showRollout(call) },
    Endpoint(
      method: .post, path: "/v1/apps/{app}/rollouts", id: "startRollout", topic: .releases,
      summary: "Begins a rollout: sessions come to another definition",
      about:
        "New sessions of the share begin with it, and running ones move when their moment has come. With the whole share the app is served "
        + "with it. An app has one rollout at a time.",
      who: .operator, body: Body(schema: .shared(.rolloutRequest)), answers: [.json(201, .rollout, "It has begun.")],
      problems: [
        .notJSON, .wrongShape, .unauthorized, .operatorOnly, .notFound, .rolloutActive, .invalidDefinition, .unsupportedMediaType,
        .contended,
        .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.rollouts.startRollout(call) },
    Endpoint(
      method: .post, path: "/v1/apps/{app}/rollouts/{operation}", id: "changeRollout", topic: .releases,
      summary: "Pauses, resumes, stops or reverts a rollout",
      about: "The operation is pause, resume, stop or revert. A revert takes sessions back that have had no entry since.", who: .operator,
      answers: [.json(200, .rollout, "The changed rollout.")],
      problems: [.unauthorized, .operatorOnly, .notFound, .rolloutActive, .invalid, .invalidDefinition, .contended, .storage]
    ) { service, call throws(Rejection) in try service.rollouts.changeRollout(call) },
  ]
}
