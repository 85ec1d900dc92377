// Payloads that a tester stores, by app, in this browser. They are not secret: push services transport them.

const place = (app) => `cairn.shelf.${app}`;

/** The stored payloads, `[{name, text}]`, sorted by name. Entries of another shape are ignored. */
export function shelf(app) {
  try {
    const kept = JSON.parse(localStorage.getItem(place(app)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each?.name === "string" && typeof each?.text === "string") : [];
  } catch {
    return [];
  }
}

/** Stores a payload; one with the same name is replaced. */
export function keep(app, name, text) {
  write(app, [...shelf(app).filter((each) => each.name !== name), { name, text }]);
}

export function discard(app, name) {
  write(app, shelf(app).filter((each) => each.name !== name));
}

/** The stored payloads of an app as the text of a file. */
export function exported(app) {
  return JSON.stringify({ app, payloads: shelf(app) }, null, 2);
}

/** Imports payloads from the text of `exported`. Entries with other names stay. Returns the number of imported payloads; throws an error for the user. */
export function imported(app, text) {
  const payloads = JSON.parse(text)?.payloads;
  if (!Array.isArray(payloads) || payloads.some((each) => typeof each?.name !== "string" || typeof each?.text !== "string")) {
    throw new Error("the file must be one that Export has saved");
  }
  for (const { name, text } of payloads) keep(app, name, text);
  return payloads.length;
}

function write(app, payloads) {
  localStorage.setItem(place(app), JSON.stringify(payloads.sort((one, other) => one.name.localeCompare(other.name))));
}
