/// An app that uses features prone to faults: every container, gestures without guards, a rule that presents, links with typed captures.
enum FuzzApp {
  static let text = """
    app: fuzz
    language: 1
    root: { flow: main, start: begin }
    compat: { covered: accept, words: [end] }
    facts:
      count: { type: integer, default: 0 }
      name: optional string
    screens:
      home: { emits: [go, pick, close, onward, ask, count, tab, finish] }
      detail: { params: { id: integer, title: optional string }, emits: [go, pick, close, count, finish] }
      notice: { emits: [close, finish] }
    steps:
      go:
      pick: { id: integer, title: optional string }
      close:
      onward:
      ask:
      count:
      tab: { index: integer }
      finish:
    rules:
      - { when: { fact: count, is: 3 }, send: ask }
    flows:
      main:
        stack: []
        handle:
          begin: { push: home, content: { rows: {} }, timer: { every: 1s, send: ticked }, load: { value: { x: 1 }, delay: 2s } }
          ticked: { content: { ticks: { add: 1 } }, of: home }
          go: [{ push: { flow: bar } }, { present: { flow: asking }, replace: true }]
          pick: [{ push: detail, with: { id: $id, title: $title }, removed: count }, { content: { rows.$id: { add: 1 } }, of: home }]
          close: pop
          onward: { set: [home, { screen: detail, with: { id: 1 } }, { screen: detail, with: { id: 2 } }] }
          ask: { present: notice, style: alert, of: screen, replace: true }
          count: { write: { count: 3, name: $content.name } }
          tab: { select: $index }
          finish: [{ reveal: home }, { write: { count: null, name: null } }]
      bar:
        tabs: [{ flow: first }, { flow: second }, home]
        handle:
          onward: { set: [home, { flow: first }] }
          tab: { select: $index }
      first: { stack: home }
      second: { split: { master: [home], detail: home }, handle: { pick: { detail: { screen: detail, with: { id: $id } } } } }
      asking: { screen: notice, handle: { finish: { end: close }, go: { replace: home } } }
    links:
      - { scheme: fuzz, host: detail, path: "/{id}", send: pick, with: { id: $id } }
      - { host: [fuzz.example, www.fuzz.example], path: "/items/{id}", query: [title], send: [go, { step: pick, with: { id: $id } }] }
    """
}
