import CairnCore
import CairnDefinition

/// An app without findings, and variants with one fault each. It has a lock and a queue on levels, a guarded form, a flow with a result, and held links.
struct SeededWindows {
  /// The faults that can be inserted.
  enum Fault: String, CaseIterable {
    case holeInTheLock, linkNeverResumed, modalNeverShown, leaveNeverLetsGo, resultIsTakenByNobody
  }

  /// The definition with one fault, or without any if `fault` is `nil`.
  static func text(_ fault: Fault? = nil) -> String {
    // With the fault, the bell is presented above the lock.
    let level = fault == .holeInTheLock ? 10 : 9
    // With the fault, the condition of the second link never holds.
    let requires = fault == .linkNeverResumed ? "{ all: [{ visible: home }, { visible: pin }] }" : "{ not: { screen: pin } }"
    // With the fault, the unlocking step also closes the modal that waits below the lock.
    let pinIsRight = fault == .modalNeverShown ? "[{ dismiss: bell }, { dismiss: pin }]" : "{ dismiss: pin }"
    let formIsLeft = fault == .leaveNeverLetsGo ? "[]" : "{ end: formIsOver }"
    let choiceIsKnown = fault == .resultIsTakenByNobody ? "" : "choiceIsKnown: { set: [home, note], keep: true }"
    return """
      app: windows
      language: 1
      compat: { words: [end] }
      root: { flow: main }
      screens:
        home: { emits: [choiceIsRequired, formIsRequired] }
        note: { emits: [] }
        pin: { emits: [pinIsRight] }
        bell: { emits: [] }
        page: { emits: [] }
        sure: { emits: [formIsLeft, formIsKept] }
        choice: { emits: [choiceIsMade] }
      steps:
        appIsHidden:
        appIsBack:
        lockIsDue:
        pinIsRight:
        bellRings:
        bellIsOver:
        noteIsTaken:
        formIsRequired:
        leaveIsAsked:
        formIsLeft:
        formIsKept:
        formIsOver:
        choiceIsRequired:
        choiceIsMade: { id: integer }
        choiceIsKnown:
      rules:
        - { when: { fact: appState, is: background }, send: appIsHidden }
        - { when: { fact: appState, is: foreground }, send: appIsBack }
      linkDefaults: { scheme: windows, holdAtMost: 2 }
      links:
        - { path: /bell, send: bellRings, to: root }
        - { path: /note, requires: { not: { screen: pin } }, send: noteIsTaken, to: root }
        - { path: /form, requires: \(requires), send: formIsRequired, to: root }
      flows:
        main:
          stack: home
          handle:
            appIsHidden: [{ cancel: lock }, { timer: { after: 2m, send: lockIsDue, name: lock }, of: flow }]
            appIsBack: { cancel: lock }
            lockIsDue:
              - { when: { not: { screen: pin } }, do: { present: pin, style: fullScreen, level: 9, guard: true } }
            pinIsRight: \(pinIsRight)
            bellRings:
              - { when: { all: [{ screen: pin }, { not: { screen: bell } }] }, do: { present: bell, level: \(level), queue: true, timer: { after: 60s, send: bellIsOver } } }
              - { do: [] }
            bellIsOver: dismiss
            noteIsTaken: { set: [home, note], keep: true }
            formIsRequired:
              - { when: { not: { flow: form } }, do: { present: { flow: form, guard: leaveIsAsked } } }
            formIsOver: { dismiss: form }
            choiceIsRequired: { push: { flow: choosing, then: choiceIsKnown } }
            \(choiceIsKnown)
        form:
          stack: page
          handle:
            leaveIsAsked: { present: sure, style: alert }
            formIsLeft: \(formIsLeft)
            formIsKept: []
        choosing: { stack: choice, gives: { id: integer }, handle: { choiceIsMade: { finish: { id: $id } } } }
      """
  }

  static let claims = """
    - name: the lock covers everything
      always: { when: { screen: pin }, then: { visible: pin } }
    - name: there is a way home
      reachable: { from: any, to: { visible: home } }
    """

  static func definition(_ fault: Fault? = nil) throws -> Definition {
    try DefinitionLoader.load(file: "windows.yaml", text: text(fault), limits: .none).definition
  }

  static func claims(about definition: Definition) throws -> [Claim] {
    try DefinitionLoader.claims(Document.read(file: "claims", text: claims), about: definition, file: "claims")
  }
}
