import CairnDefinition
import Testing

/// A snippet of a definition, and the expected messages.
struct Mistake: Sendable, CustomTestStringConvertible {
  var snippet: String
  var said: [String]
  var testDescription: String { snippet }

  init(_ snippet: String, _ said: String...) {
    self.snippet = snippet
    self.said = said
  }
}

@Suite struct MistakeTests {
  @Test func `the base app without a mistake is valid`() {
    #expect(complaints(Demo.text("  main: { stack: home }")) == [])
  }

  @Test(arguments: [
    Mistake(
      "  main: { stak: hom }", "19:11: the flow `main` has no member `stak`; did you mean `stack`?",
      "19:17: there is no screen or flow `hom`; did you mean `home`?"),
    Mistake("  main: { handle: {} }", "19:9: the flow `main` needs a container: `stack`, `tabs`, `split`, `screen` or `switch`"),
    Mistake(
      "  main: { container: stack, root: home }",
      "19:11: the flow `main` no longer has the member `container`: write the container as the member, like `stack: home`",
      "19:29: the flow `main` no longer has the member `root`: write the container as the member, like `stack: home`"),
    Mistake("  main: { switch: stack }", "19:19: `switch` must be a list of flows, the initial one first, not `stack`"),
    Mistake("  main: { stack: leaf }", "19:18: the flow `leaf` requires `id: integer` in `with`"),
    Mistake(
      "  main: { stack: { flow: home } }", "19:26: `home` is a screen, not a flow; use `{ screen: home }`"),
    Mistake(
      "  main: { stack: [home] }", "19:18: `stack` must be a screen or flow, or a map with `screen` or `flow`, not a list"
    ),
    Mistake(
      "  main: { stack: { flow: tabbed }, tabs: [home] }",
      "19:36: the flow `main` has `stack` and `tabs`, but a flow has one container"),
    Mistake(
      "  main: { stack: home, reselect: popToRoot }",
      "19:24: `reselect` is allowed only in a flow with `tabs`, but `main` has `stack`"),
    Mistake(
      "  main: { stack: home, back: first }",
      "19:24: `back` is allowed only in a flow with `tabs`, but `main` has `stack`"),
    Mistake(
      "  main: { tabs: [home], back: frist }",
      "19:31: `back` must be `none`, `first`, `order` or `history`, not `frist`; did you mean `first`?"),
    Mistake("  main: { tabs: [home], reselect: strted }", "19:35: there is no step `strted`; did you mean `started`?"),
    Mistake("  main: { stack: { screen: home, guard: strted } }", "19:41: there is no step `strted`; did you mean `started`?"),
    Mistake("  main: { screen: [home] }", "19:19: `screen` must be the name of a screen, not a list"),
    Mistake("  main: { screen: main2 }", "19:19: `main2` is a flow, not a screen; use `{ flow: main2 }`"),
    Mistake("  main: { stack: home, load: { value: 1 } }", "19:24: `load` is allowed only in a flow with `screen`, but `main` has `stack`"),
    Mistake("  main: { switch: [] }", "19:19: `switch` needs at least one flow"),
    Mistake("  main: { switch: [{ screen: home }] }", "19:20: an element of `switch` must be a flow, not a screen"),
    Mistake(
      "  main: { switch: [main2, { flow: area, start: started }] }",
      "19:27: only the first flow of `switch` may have members besides its name, because `set` creates the others"),
    Mistake("  main: { switch: [area, main2, main2] }", "19:33: `switch` lists `main2` twice"),
    Mistake(
      "  main: { stack: { flow: loop } }\n  loop: { tabs: [{ flow: main }] }",
      "20:9: the creation of `loop` never ends, because it creates itself (loop → main → loop); push or present it from a handler"),
    Mistake("  main: { stack: home, stack: about }", "19:24: duplicate key `stack`; the first one is on line 19"),
    Mistake("  main: { stack: detail }", "19:18: the screen `detail` requires `id: integer` in `with`"),
  ]) func `a mistake in a flow is reported`(mistake: Mistake) {
    #expect(complaints(Demo.text(mistake.snippet)) == mistake.said)
  }

  @Test(arguments: [
    Mistake("{ psh: about }", "20:16: `push` has no member `psh`; did you mean `push`?"),
    Mistake("{ push: about, pop: 1 }", "20:29: a map can have only one operation, not `push` and `pop`; write a list"),
    Mistake("pup", "20:14: there is no operation `pup`; did you mean `pop`?"),
    Mistake("push", "20:14: `push` needs a value: `{ push: … }`"),
    Mistake("{ pop: 0 }", "20:21: `pop` must be a whole number of at least 1, or have no value, not `0`"),
    Mistake("{ dismiss: 1 }", "20:25: `dismiss` must be the name of a screen or flow, or a map with `screen` or `flow`, not `1`"),
    Mistake("{ dismiss: hme }", "20:25: there is no screen or flow `hme`; did you mean `home`?"),
    Mistake("{ present: about, level: 0 }", "20:39: `level` must be a whole number from 1 to 255, not `0`"),
    Mistake("{ present: about, level: 256 }", "20:39: `level` must be a whole number from 1 to 255, not `256`"),
    Mistake("{ present: about, queue: true }", "20:32: `queue` is allowed only with `level`"),
    Mistake("{ present: about, level: 1, of: flow }", "20:42: a modal on a level is always presented on the root; remove `of`"),
    Mistake("{ present: about, level: 1, queue: true, replace: true }", "20:55: `queue` and `replace` exclude each other; remove one"),
    Mistake("3", "20:14: an operation must be a word like `dismiss`, or a map like `{ push: SCREEN }`, not `3`"),
    Mistake("none", "20:14: there is no operation `none`; write `[]` for a handler that does nothing"),
    Mistake("{ forward: started }", "20:16: the operation `forward` is now `send`"),
    Mistake("{ push: detail }", "20:22: the screen `detail` requires `id: integer` in `with`"),
    Mistake("{ push: detail, wih: { id: 1 } }", "20:30: `push` has no member `wih`; did you mean `with`?"),
    Mistake("{ push: detail, with: { idd: 1 } }", "20:38: the screen `detail` has no param `idd`; did you mean `id`?"),
    Mistake("{ push: detail, with: { id: 1, x: 2 } }", "20:45: the screen `detail` has no param `x`; it has `id` and `title`"),
    Mistake("{ push: detail, with: { id: 3 } }", "20:42: `id` of the screen `detail` must be one of 1, 2"),
    Mistake("{ push: detail, with: { id: one } }", "20:42: `id` of the screen `detail` must be of type integer, not string"),
    Mistake("{ push: detail, with: [1] }", "20:36: `with` must be a map of the params of the screen `detail`, not a list"),
    Mistake("{ push: detail, with: { id: $id } }", "20:42: there is no param `id`: the step `started` has none"),
    Mistake(
      "{ push: { flow: main2, with: { a: 1 } } }",
      "20:45: the flow `main2` has no params; declare them: `main2: { params: { a: TYPE } }`"
    ),
    Mistake(
      "{ send: { step: started } }",
      "20:22: `send` must be the name of a step, or a list; write `with` and `to` next to it: `send: STEP, with: { … }`"),
    Mistake("{ send: [] }", "20:22: `send` needs at least one step"),
    Mistake("{ send: [started], to: root }", "20:33: `send` has several steps; put `to` into the map of the step to which it applies"),
    Mistake("{ end: started, with: {} }", "20:30: put `with` into the map of `end`: `end: { step: started, with: … }`"),
    Mistake("{ push: { flow: leaf } }", "20:30: the flow `leaf` requires `id: integer` in `with`"),
    Mistake("{ push: { flow: main2 }, with: { id: 1 } }", "20:39: put `with` into the map of `push`, next to `screen` or `flow`"),
    Mistake("{ push: { screen: about, start: started } }", "20:39: `start` is allowed only with a flow"),
    Mistake("{ push: {} }", "20:22: `push` needs `screen` or `flow`"),
    Mistake("{ set: [] }", "20:21: `set` must be a list of at least one screen or flow, not a list"),
    Mistake(
      "{ set: [home, about], load: { value: 1 } }", "20:36: `set` has several elements; put `load` into the element to which it applies"),
    Mistake(
      "{ present: about, style: sheeet }", "20:39: `style` must be `sheet`, `fullScreen` or `alert`, not `sheeet`; did you mean `sheet`?"),
    Mistake("{ present: { flow: main2 }, style: alert }", "20:42: an alert must be a screen, but `main2` is a flow"),
    Mistake("{ reveal: { with: { id: 1 } } }", "20:24: `reveal` needs the member `screen` or `flow`"),
    Mistake("{ popTo: { screen: home, flow: main2 } }", "20:39: `popTo` must have either `screen` or `flow`, not both"),
    Mistake("{ bring: { screen: detail, with: { idd: 1 } } }", "20:49: the screen `detail` has no param `idd`; did you mean `id`?"),
    Mistake("{ remove: { screen: detail, with: { id: a } } }", "20:54: the param `id` must be of type integer, not string"),
    Mistake("{ content: { a: 1 }, of: { screen: detail, with: 1 } }", "20:63: `with` must be a map of params, not an integer"),
    Mistake(
      "{ write: { name: '$content(detail, id).a' } }",
      "20:31: `$content(detail, id).a` is unknown; with params it is `$content(NAME, PARAM: VALUE).a.b`"),
    Mistake("{ reveal: hme }", "20:24: there is no screen or flow `hme`; did you mean `home`?"),
    Mistake("{ reveal: { flow: man2 } }", "20:32: there is no flow `man2`; did you mean `main2`?"),
    Mistake("{ set: [home], keep: maybe }", "20:35: `keep` must be true or false, not `maybe`"),
    Mistake("{ detail: home }", "20:16: `detail` is allowed only in a flow with `split`, but `main` has `stack`"),
    Mistake(
      "{ set: { master: [home], detail: home } }", "20:21: the element of `set` needs `screen` or `flow`",
      "20:23: the element of `set` has no member `master`; the members are `screen`, `flow`, `requires`, `with`, `facts`, `start`, `listen`, `load`, `timer`, `removed`, `seen`, `unseen`, `guard`, `then`, `else` and `content`",
      "20:39: the element of `set` has no member `detail`; the members are `screen`, `flow`, `requires`, `with`, `facts`, `start`, `listen`, `load`, `timer`, `removed`, `seen`, `unseen`, `guard`, `then`, `else` and `content`"
    ),
    Mistake("{ show: { flow: main2, screen: home } }", "20:16: `show` is allowed only in a flow with `switch`, but `main` has `stack`"),
    Mistake("{ select: -1 }", "20:24: `select` must be a tab's number (from 0), a reference like `$index`, or a flow's name, not `-1`"),
    Mistake("{ end: startd }", "20:21: there is no step `startd`; did you mean `started`?"),
    Mistake("{ send: started, to: parnt }", "20:35: there is no flow `parnt`; did you mean `parent`?"),
    Mistake("{ send: picked }", "20:22: the step `picked` requires `id: integer` in `with`"),
    Mistake("{ write: { name: 3 } }", "20:31: the fact `name` must be of type string, not integer"),
    Mistake("{ write: { accessToken: x } }", "20:25: only a login, a logout and the action `token` can write `accessToken`"),
    Mistake("{ write: { nam: null, name: null } }", "20:25: there is no fact `nam`; did you mean `name`?"),
    Mistake(
      "{ content: { a..b: 3, x.$row: 3, n: { add: x } }, of: hme }",
      "20:27: a path must be names joined by dots, like `a.b`, not `a..b`", "20:36: there is no param `row`: the step `started` has none",
      "20:57: `add` must be of type number, not string", "20:68: there is no screen or flow `hme`; did you mean `home`?"),
    Mistake("{ cancel: tik }", "20:24: there is no timer named `tik`; use `all`, or give a timer this name"),
    Mistake("{ timer: { after: 5s, every: 3s, send: started } }", "20:23: a timer needs only one of `after`, `every`, `at` and `daily`"),
    Mistake("{ timer: { send: started } }", "20:23: a timer needs `after`, `every`, `at` or `daily`"),
    Mistake("{ timer: { after: $minutes, send: started } }", "20:32: `after` with a value needs `unit`: `s`, `m`, `h` or `d`"),
    Mistake(
      "{ timer: { after: 5s, unit: m, send: started } }",
      "20:42: `unit` is allowed only if `after` is a number or a value, like `$minutes`"),
    Mistake("{ timer: { after: 5, unit: w, send: started } }", "20:41: `unit` must be `s`, `m`, `h` or `d`, not `w`"),
    Mistake("{ timer: { after: $fact.name, unit: m, send: started } }", "20:32: `after` must be of type number, not string"),
    Mistake("{ timer: { every: 5s, unit: m, send: started } }", "20:36: `unit` is allowed only with `after`"),
    Mistake("{ timer: { after: 5s, before: 1s, send: started } }", "20:36: `before` is allowed only with `at`"),
    Mistake(
      "{ timer: { at: \"2026-02-30T12:00:00Z\", send: started } }",
      "20:29: `at` must be a moment: an ISO 8601 text with a time zone, like `2026-03-01T12:00:00Z`, or milliseconds since 1970, not `2026-02-30T12:00:00Z`"
    ),
    Mistake(
      "{ timer: { at: $fact.onBoarded, send: started } }",
      "20:29: `at` must be a moment: an ISO 8601 text with a time zone, like `2026-03-01T12:00:00Z`, or milliseconds since 1970, not `$fact.onBoarded`"
    ),
    Mistake(
      "{ timer: { after: 5s, send: started, restart: true } }",
      "20:51: a timer with `restart` needs `name`: it replaces the running timer with this name"),
    Mistake("{ timer: { every: 99ms, send: started } }", "20:32: `every` must be at least 100ms"),
    Mistake("{ timer: { after: 0s, send: started } }", "20:32: `after` must be at least 100ms"),
    Mistake("{ timer: { after: 2m, send: { step: x } } }", "20:42: the name of a step must be a string, not a map"),
    Mistake(
      "{ timer: { after: 5, send: started } }", "20:32: `after` must be a number with `ms`, `s`, `m`, `h` or `d`, like `5s`, not `5`"),
    Mistake(
      "{ timer: { after: 5s, send: started, name: all } }",
      "20:51: a timer cannot be named `all`, because `cancel: all` means all timers and loads"),
  ]) func `a mistake in an operation is reported`(mistake: Mistake) {
    #expect(complaints(Demo.handling(mistake.snippet)) == mistake.said)
  }

  @Test(arguments: [
    Mistake(
      "{ load: { get: \"https://api.exmple/x\" } }", "20:29: the host `api.exmple` is not in `allowHosts`; did you mean `api.example`?"),
    Mistake("{ load: { get: \"https://api.example{fact.name}/x\" } }", "20:29: the host of `get` must be literal text, without references"),
    Mistake(
      "{ load: { get: \"http://api.example/x\", bearer: accessToken } }", "20:29: a secret must not be sent over plain HTTP; use `https`"),
    Mistake(
      "{ load: { get: \"{fact.base}{fact.name}\" } }",
      "20:29: the fact at the start of a URL must be followed by a path that begins with `/`"
    ),
    Mistake(
      "{ load: { get: \"{fact.base}.x/y\" } }", "20:29: the fact at the start of a URL must be followed by a path that begins with `/`"),
    Mistake(
      "{ write: { base: \"https://x.example\" } }",
      "20:25: the fact `base` is read from the environment variable `BASE`, so no operation can change it; remove it here"),
    Mistake(
      "{ write: { base: null } }",
      "20:25: the fact `base` is read from the environment variable `BASE`, so no operation can change it; remove it here"),
    Mistake("{ load: { get: \"https://me@api.example/x\" } }", "20:29: the host of `get` must be literal text, without references"),
    Mistake(
      "{ load: { get: \"ftp://api.example/x\" } }",
      "20:29: `get` must begin with `https://` and a host that `allowHosts` lists, or with a fact that has `env`"),
    Mistake(
      "{ load: { get: \"{fact.name}/x\" } }",
      "20:29: the fact `name` can begin a URL only if it is a string from the environment (`env: NAME`)"),
    Mistake("{ load: { get: \"{fact.base/x\" } }", "20:29: `{` must be closed by `}`, as in `{name}`, which inserts a value"),
    Mistake("{ load: { value: 3, get: $fact.base } }", "20:22: `load` needs only one of `value`, `get`, `post`, `put` and `delete`"),
    Mistake("{ load: {} }", "20:22: `load` needs one of `value`, `get`, `post`, `put` and `delete`"),
    Mistake(
      "{ load: { get: $fact.base, bearer: token, delay: 3, while: shown } }", "20:49: `bearer` must be `accessToken`, not `token`",
      "20:63: `delay` must be a number with `ms`, `s`, `m`, `h` or `d`, like `5s`, not `3`", "20:73: `while` must be `visible`, not `shown`"
    ),
    Mistake(
      "{ load: { value: 1, else: { step: named, with: { name: $result.x } } } }",
      "20:69: `$result.x` can be used only in `then` of a load, of a message, or of a flow that finishes"),
    Mistake(
      "{ load: { value: $result } }", "20:31: `$result` can be used only in `then` of a load, of a message, or of a flow that finishes"),
    Mistake(
      "{ load: { value: $fact.accessToken } }",
      "20:31: the access token cannot be read; a load or message sends it with `bearer: accessToken`"
    ),
    Mistake("{ load: { value: $fact.nam } }", "20:31: there is no fact `nam`; did you mean `name`?"),
    Mistake("{ load: { value: $oauth.authorizeUrl } }", "20:31: `$oauth.authorizeUrl` needs an `oauth` section"),
    Mistake("{ load: { value: $contnt.a } }", "20:31: `$contnt.a` is unknown; did you mean `$content.a`?"),
    Mistake("{ load: { value: $content(hme).a } }", "20:31: there is no screen or flow `hme`; did you mean `home`?"),
    Mistake(
      "{ load: { value: $content(home.a } }", "20:31: `$content(home.a` is unknown; the content of a screen or flow is `$content(NAME).a.b`"
    ),
    Mistake(
      "{ load: { value: $content(home)a } }", "20:31: `$content(home)a` is unknown; the content of a screen or flow is `$content(NAME).a.b`"
    ),
    Mistake("{ load: { value: $content.$row } }", "20:31: there is no param `row`: the step `started` has none"),
    Mistake("{ load: { value: 1 }, on: flw }", "20:36: `load` no longer has the member `on`: write `of`"),
    Mistake("{ load: { value: $ } }", "20:31: `$` is not a reference; write `$$` for a literal `$`"),
  ]) func `a mistake in a load or an expression is reported`(mistake: Mistake) {
    #expect(complaints(Demo.handling(mistake.snippet)) == mistake.said)
  }

  @Test(arguments: [
    Mistake("{ fact: onBoarded, is: yes }", "20:46: the fact `onBoarded` must be of type boolean, not string"),
    Mistake("{ fact: onBorded }", "20:31: there is no fact `onBorded`; did you mean `onBoarded`?"),
    Mistake("{ fact: name }", "20:23: the fact `name` is of type string, so it is never true; add `is: VALUE`"),
    Mistake("{ fact: accessToken }", "20:31: `accessToken` can be tested only with `is: present` or `is: absent`"),
    Mistake(
      "{ fact: name, is: present, not: x }",
      "20:50: a condition can have only one of `is`, `not`, `in`, `over` and `under`; combine two with `all: [..]`"),
    Mistake(
      "{ fact: onBoarded, visible: home }", "20:42: `fact` and `visible` are two conditions; combine them with `all: [..]` or `any: [..]`"),
    Mistake("{ all: [] }", "20:30: `all` needs at least one condition"),
    Mistake("{ any: ~ }", "20:30: `any` needs at least one condition"),
    Mistake(
      "{ content: status, is: ready }", "20:46: the status of `content` must be `idle`, `loading`, `loaded` or `failed`, not `ready`"),
    Mistake("{ content: status }", "20:34: a condition on `status` needs `is` with `idle`, `loading`, `loaded` or `failed`"),
    Mistake("{ flow: mian }", "20:31: there is no flow `mian`; did you mean `main`?"),
    Mistake("{ visible: [home, detial], with: { x: 1 } }", "20:41: there is no screen `detial`; did you mean `detail`?"),
    Mistake("{ visible: detail, with: { idd: 1 } }", "20:50: no screen of this condition has a param `idd`; did you mean `id`?"),
    Mistake("{ param: id }", "20:32: there is no param `id`: the step `started` has none"),
    Mistake("{ fact: name, over: 3 }", "20:43: the fact `name` is of type string, but `over` and `under` compare numbers"),
    Mistake(
      "{ fact: away, over: soon }", "20:43: `over` must be a number, a duration like `2m` or a reference like `$fact.limit`, not `soon`"),
    Mistake(
      "{ fact: away, under: $fact.name }", "20:44: the value with which the fact `away` is compared must be of type number, not string"),
    Mistake("{ fact: awy, over: 1 }", "20:31: there is no fact `awy`; did you mean `away`?"),
    Mistake("{ fact: name, in: moveis }", "20:41: there is no set `moveis`; did you mean `movies`?"),
    Mistake("{ fact: name, in: movies }", "20:41: the fact `name` must be of type string, not integer"),
    Mistake("{ fact: name, in: [] }", "20:41: `in` must be a list of values or the name of a set"),
    Mistake("{ fact: appState, is: away }", "20:45: the fact `appState` must be one of foreground, inactive, background"),
    Mistake("{ fact: name, is: $screen.titel }", "20:41: no screen has a param `titel`; did you mean `title`?"),
    Mistake("{ fact: onBoarded, is: $screen.id }", "20:46: the fact `onBoarded` must be of type boolean, not integer"),
    Mistake("{ screen: hme }", "20:33: there is no screen `hme`; did you mean `home`?"),
    Mistake("{ fct: onBoarded }", "20:25: a condition on `fact` has no member `fct`; did you mean `fact`?"),
    Mistake(
      "{ colour: blue }",
      "20:23: a condition needs one of `fact`, `param`, `content`, `result`, `visible`, `screen`, `flow`, `passed`, `between`, `all`, `any` or `not`"
    ),
    Mistake(
      "{ passed: tomorrow }",
      "20:33: `passed` must be a moment: an ISO 8601 text with a time zone, like `2026-03-01T12:00:00Z`, or milliseconds since 1970, not `tomorrow`"
    ),
    Mistake("{ passed: 0, is: true }", "20:36: a condition on `passed` has no member `is`; the members are `passed` and `before`"),
    Mistake("onBoarded", "20:23: a condition must be a map like `{ fact: NAME, is: VALUE }`, not `onBoarded`"),
  ]) func `a mistake in a condition is reported`(mistake: Mistake) {
    #expect(complaints(Demo.handling("[{ when: \(mistake.snippet), do: [] }]")) == mistake.said)
  }

  @Test func `a mistake with a built-in fact is reported`() {
    let text = Demo.handling("[{ write: { away: 1 } }, { write: { appState: null } }]").replacing(
      "facts: {", with: "facts: { appState: string,")
    #expect(
      complaints(text) == [
        "6:10: `appState` is built in, and the action `appState` writes it; remove it here",
        "20:26: only the action `appState` writes `away`",
        "20:50: only the action `appState` writes `appState`",
      ])
  }

  @Test func `a mistake in emits of a flow is reported`() {
    let text = Demo.text("  main: { stack: home, emits: [picked, 3d, picked], handle: { picked: [] } }")
    #expect(
      complaints(text) == [
        "19:40: there is no step `3d`; the definition declares `named`, `picked`, `started`", "19:44: `emits` lists `picked` twice",
      ])
    #expect(
      complaints(text.replacing("[picked, 3d, picked]", with: "picked"))
        == ["19:31: `emits` must be a list of steps, or a map of steps with their params, not a string"])
  }

  @Test func `a mistake in branches is reported`() {
    let text = Demo.text(
      """
        main:
          stack: []
          handle:
            picked:
              - { when: { param: id, is: 1 }, do: pop }
              - pop
              - { do: [pup] }
            named:
              - { do: pop }
              - { when: { param: name, is: x }, when: { not: { fact: onBoarded } }, do: pop }
              - { when: { param: name, is: x } }
            3d: []
          adapt:
            named: [{ to: started }, { when: { fact: onBoarded }, to: picked }]
      """)
    #expect(
      complaints(text) == [
        "24:11: a handler must have either operations, or branches with `when` and `do`",
        "25:18: there is no operation `pup`; did you mean `pop`?",
        "27:11: this branch has no condition, so those after it never run; put it last",
        "28:43: duplicate key `when`; the first one is on line 28",
        "29:11: a branch needs `do`", "30:7: there is no step `3d`; the definition declares `named`, `picked`, `started`",
        "32:15: an adaptation needs `when`; to replace a step always, send the other step instead",
        "32:65: the step `picked` requires `id: integer` in `with`",
      ])
  }
}
