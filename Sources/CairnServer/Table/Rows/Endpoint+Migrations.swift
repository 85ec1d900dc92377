import CairnAPI
import CairnCore

// Endpoints that move existing sessions to another definition, and back.
extension Endpoint {
  static let migrations: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/apps/{app}/migrations", id: "listMigrations", topic: .releases, summary: "Lists the migrations of an app",
      who: .operator, answers: [.json(200, .migrations, "The migrations, without their documents.")],
      problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.migrations.listMigrations(call) },
    Endpoint(
      method: .put, path: "/v1/apps/{app}/migrations/{from}/{to}", id: "putMigration", topic: .releases,
      summary: "Stores a migration, which moves sessions from one definition to another",
      about:
        "The app must have both definitions. A document that does not cover all their differences is rejected with a list of the missing "
        + "ones. Storing a migration moves no session. Afterwards, a request made for the old definition is translated if its session is "
        + "on the new one.",
      who: .operator,
      body: Body(
        schema: Schema(["type": "object"]).about("A migration document, as docs/releases.md describes it."),
        others: ["application/yaml": Schema(["type": "object"]), "text/yaml": Schema(["type": "object"])]),
      answers: [.json(200, .migration, "The stored migration.")],
      problems: [
        .unauthorized, .operatorOnly, .methodNotAllowed, .notFound, .unsupportedMediaType, .invalidMigration, .storage,
      ]
    ) { service, call throws(Rejection) in try service.migrations.putMigration(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/migrations/{from}/{to}", id: "showMigration", topic: .releases,
      summary: "Returns a migration's document", who: .operator,
      answers: [Reply(status: 200, about: "The document as JSON.", contents: [("application/json", Schema(["type": "object"]))])],
      problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.migrations.showMigration(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/migrate", id: "migrateSession", topic: .releases,
      summary: "Moves one session to another definition", who: .operator, query: [Query.plan],
      headers: [.ifMatch, .idempotencyKey, .prefer],
      body: Body(schema: .shared(.migrationRequest)),
      answers: [
        .json(
          200, .performed, "The outcome; `unchanged` if the session is already on that definition.", .eTag, .preferenceApplied,
          .idempotencyExpires,
          .idempotencyReplayed)
      ],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .notFound, .noMigration, .notMigrated, .revisionMismatch,
        .unsupportedMediaType, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.migrations.migrateSession(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/undo", id: "undo", topic: .releases,
      summary: "Restores a session's state at an earlier revision",
      about:
        "The tree, the facts and the content are restored, in a new revision. The access token, the login, the manual clock and the "
        + "facts `appState` and `away` do not change. No load starts. Only the timers of overlays, timers with `at` or `daily`, and `idle` "
        + "start again. Messages continue. Other effects in progress, held links and held actions continue if they existed at that "
        + "revision; all others are cancelled.", who: .operator,
      headers: [.ifMatch, .idempotencyKey, .prefer],
      body: Body(schema: .shared(.undoRequest)),
      answers: [.json(200, .performed, "The outcome of the undo.", .eTag, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed)],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .unknownRevision, .historyGone, .revisionMismatch,
        .unsupportedMediaType, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.migrations.undo(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/forget", id: "forget", topic: .sessions,
      summary: "Forgets a session's history up to a revision",
      about:
        "The entries up to that revision, and the responses stored until then, can no longer be read; their bytes are erased in the "
        + "background. The history then begins with the state at that revision. Repeating the request changes nothing.", who: .operator,
      headers: [.ifMatch, .idempotencyKey], body: Body(schema: .shared(.forgetRequest)),
      answers: [.json(200, .forgotten, "The first revision that can still be read.", .idempotencyExpires, .idempotencyReplayed)],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .idempotencyKeyReused, .responseForgotten, .unauthorized, .operatorOnly,
        .unknownSession, .unknownRevision, .revisionMismatch, .unsupportedMediaType,
        .contended, .uncertain, .storage,
      ]
    ) { service, call throws(Rejection) in try service.history.forget(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/rollouts", id: "showRollout", topic: .releases, summary: "Returns the newest rollout of an app",
      who: .operator, answers: [.json(200, .rollout, "The newest rollout.")], problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.rollouts.showRollout(call) },
    Endpoint(
      method: .post, path: "/v1/apps/{app}/rollouts", id: "startRollout", topic: .releases,
      summary: "Starts a rollout, which moves sessions to another definition",
      about:
        "New sessions in the share start on the new definition. Running sessions in the share move as soon as the condition in `when` is true for "
        + "them. A share of 100% serves the new definition at once. A dry run moves no session. An app has one rollout at a time.",
      who: .operator, body: Body(schema: .shared(.rolloutRequest)), answers: [.json(201, .rollout, "The started rollout.")],
      problems: [
        .notJSON, .wrongShape, .unauthorized, .operatorOnly, .notFound, .rolloutActive, .invalidDefinition, .unsupportedMediaType,
        .contended,
        .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.rollouts.startRollout(call) },
    Endpoint(
      method: .post, path: "/v1/apps/{app}/rollouts/{operation}", id: "changeRollout", topic: .releases,
      summary: "Pauses, resumes, stops or reverts a rollout",
      about:
        "`revert` serves the old definition again. A session without an entry since its move gets back the state before the move. The other "
        + "moved sessions are migrated back if a migration to the old definition is stored.",
      who: .operator,
      answers: [.json(200, .rollout, "The changed rollout.")],
      problems: [.unauthorized, .operatorOnly, .notFound, .rolloutActive, .invalid, .invalidDefinition, .contended, .storage]
    ) { service, call throws(Rejection) in try service.rollouts.changeRollout(call) },
  ]
}
