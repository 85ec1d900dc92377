import CairnCore
import CairnDefinition

/// An app without findings, and variants with one fault each.
struct SeededApp {
  /// The faults that can be inserted.
  enum Fault: String, CaseIterable {
    case deadLogin, holeInTheLock, growingStack, unreachableBranch, linkNeverResumed, droppedStep, stepLoop, brokenPromise
  }

  /// The definition with one fault, or without any if `fault` is `nil`.
  static func text(_ fault: Fault? = nil) -> String {
    // No flow handles the end of the login, so the login stays.
    let loginIsOver = fault == .deadLogin ? "none" : "[{ write: { isIn: true } }, { show: { flow: shop } }]"
    // A notice of the shop is shown whether the app is locked or not.
    let noticeIsDue =
      fault == .holeInTheLock ? "{ do: { show: { flow: shop } } }" : "{ unless: { fact: isLocked }, do: { show: { flow: shop } } }"
    let tick =
      fault == .growingStack ? "{ unless: { flow: nowhere }, do: { push: hint } }" : "{ unless: { visible: hint }, do: { push: hint } }"
    let branch = fault == .unreachableBranch ? "{ all: [{ visible: home }, { flow: login }] }" : "{ param: kind, is: sale }"
    // The condition of the link never holds.
    let requires = fault == .linkNeverResumed ? "{ flow: nowhere }" : "{ fact: isIn }"
    let dropped = fault == .droppedStep ? "{ forward: noteIsWritten }" : "none"
    let looped = fault == .stepLoop ? "{ forward: { step: circleIsDrawn, to: current } }" : "none"
    let promised = fault == .brokenPromise ? "{ reveal: hint }" : "popToRoot"
    return """
      app: seeded
      root: { flow: root }
      facts:
        isIn: { type: boolean, default: false }
        isLocked: { type: boolean, default: false }
      screens:
        start: { emits: [codeIsGiven] }
        home: { emits: [kindIsPicked, lockIsRequired, noteIsTaken, circleIsDrawn, returnIsRequired, askingIsRequired] }
        list: { params: { kind: string }, emits: [returnIsRequired] }
        hint: { emits: [returnIsRequired] }
        pin: { emits: [pinIsRight] }
        asking: { emits: [] }
        sale: { emits: [] }
      steps:
        codeIsGiven:
        loginIsOver: { internal: true }
        kindIsPicked: { kind: string }
        lockIsRequired:
        pinIsRight:
        hintIsDue: { internal: true }
        noticeIsDue:
        noteIsTaken:
        noteIsWritten: { internal: true }
        circleIsDrawn:
        returnIsRequired:
        askingIsRequired:
      flows:
        root:
          container: switch
          children: [login, shop, lock, nowhere]
          root: { flow: login }
          handle:
            loginIsOver: \(loginIsOver)
            noticeIsDue:
              - \(noticeIsDue)
            lockIsRequired: [{ write: { isLocked: true } }, { show: { flow: lock } }]
            pinIsRight: [{ write: { isLocked: false } }, { show: { flow: shop } }]
        login: { container: stack, root: start, handle: { codeIsGiven: { end: loginIsOver } } }
        lock: { container: stack, root: pin }
        nowhere: { container: stack, root: pin }
        shop:
          container: stack
          root: { screen: home, listen: { hidden: true }, after: { every: 10s, step: hintIsDue } }
          handle:
            kindIsPicked:
              - { when: \(branch), do: { push: sale } }
              - { do: { push: list, with: { kind: $kind } } }
            hintIsDue:
              - \(tick)
              - { do: none }
            noteIsTaken: \(dropped)
            circleIsDrawn: \(looped)
            returnIsRequired: \(promised)
            askingIsRequired: { present: asking }
      links:
        - { scheme: seeded, path: "/notice", requires: \(requires), step: noticeIsDue }
      """
  }

  static let claims = """
    - name: the lock covers everything
      always: { when: { fact: isLocked }, then: { visible: pin } }
    - name: there is a way home
      reachable: { from: any, to: { visible: home } }
    """

  static func definition(_ fault: Fault? = nil) throws -> Definition {
    try DefinitionLoader.load(file: "seeded.yaml", text: text(fault), limits: .none).definition
  }

  static func claims(about definition: Definition) throws -> [Claim] {
    try DefinitionLoader.claims(Document.read(file: "claims", text: claims), about: definition, file: "claims")
  }
}
