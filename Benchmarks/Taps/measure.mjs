// Measures taps, in the same way in Node and in a page. Node and the page each pass a `surface`, which starts sessions and performs the taps.
/** The clients that are compared: without predictions, with those of the service, and with the engine. */
const kinds = [
  { kind: "plain", options: { predict: false }, tap: ofTabs },
  { kind: "predicted", options: { predict: true }, tap: ofTabs },
  { kind: "engine", options: {}, tap: ofScreens, hasEngine: true },
];

/** The longest duration of any wait, in milliseconds. */
const patience = 30_000;

/**
 * Measures the taps of each kind of client. Returns a row for each, in milliseconds. A row has the median of each time that `tapped` measures, and the 99th
 * percentile as `shownLate` and so on. `five` is the median of five taps that do not wait for each other, and `trip` the round trip.
 *
 * @param {{ start, tapped }} surface `tapped(session, tap)` performs a tap, and resolves to its times: `{ shown, confirmed }`, and more in a page
 * @param {{ service: string, serviceWithEngine: string, sessions: number, rounds: number, isParallel: boolean }} given `rounds`: taps per session
 */
export async function measure(surface, { service, serviceWithEngine, ...given }) {
  const rows = [];
  for (const { hasEngine = false, ...kind } of kinds) {
    const url = hasEngine ? serviceWithEngine : service;
    await ofSessions(surface, url, kind, { ...given, sessions: given.isParallel ? given.sessions : 1 });
    const trip = await roundTrip(url);
    const { taps, fives } = await ofSessions(surface, url, kind, given);
    const row = { kind: kind.kind, taps: taps.length, trip, five: at(fives, 0.5) };
    for (const name of Object.keys(taps[0])) {
      const times = taps.map((tap) => tap[name]);
      Object.assign(row, { [name]: at(times, 0.5), [`${name}Late`]: at(times, 0.99) });
    }
    rows.push(row);
  }
  return rows;
}

/** Resolves or rejects as the promise does. If the promise takes too long, rejects with an error that names the awaited event. */
export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${patience / 1000} s: ${what}`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function at(times, share) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Resolves to the median time of a round trip to the service, measured by requests without effect. */
async function roundTrip(url) {
  const times = [];
  for (let turn = 0; turn < 11; turn += 1) {
    const began = performance.now();
    await within(fetch(`${url}/livez`).then((response) => response.text()), "the answer of /livez");
    times.push(performance.now() - began);
  }
  return at(times, 0.5);
}

/**
 * Measures the taps of several sessions. In a page, the sessions are measured one after the other, because a page has six connections per host, and a followed
 * session uses one of them.
 */
async function ofSessions(surface, url, kind, { sessions, rounds, isParallel }) {
  const measured = [];
  if (isParallel) measured.push(...await Promise.all(Array.from({ length: sessions }, () => ofSession(surface, url, kind, rounds))));
  else for (let made = 0; made < sessions; made += 1) measured.push(await ofSession(surface, url, kind, rounds));
  return { taps: measured.flatMap(({ taps }) => taps), fives: measured.map(({ five }) => five) };
}

async function ofSession({ start, tapped }, url, { kind, options, tap }, rounds) {
  const session = await within(start({ baseURL: url, app: "delivery", ...options }), "the start of a session");
  await ready(session, kind === "engine");
  // The first tap opens the connection.
  await within(session.select(2), "the answer to the first tap");
  await within(session.select(0), "the answer to the second tap");
  const taps = [];
  for (let round = 0; round < rounds; round += 1) taps.push(await within(tapped(session, () => tap(session, round)), `a tap of a client that is ${kind}`));
  const began = performance.now();
  await within(Promise.all([1, 2, 0, 1, 2].map((tab) => session.select(tab))), "the answers to five taps");
  const five = performance.now() - began;
  await within(session.end(), "the end of a session");
  return { taps, five };
}

/** Resolves when the session is followed and, if it has an engine, when the engine predicts. */
function ready(session, hasEngine) {
  return within(new Promise((resolve) => {
    const look = () => {
      const { connection, predicts } = session.getSnapshot();
      if (connection === "live" && (predicts || !hasEngine)) resolve();
    };
    session.subscribe(look);
    look();
  }), hasEngine ? "the engine of a session" : "the events of a session");
}

/** Selects the second tab and the first tab in turn. */
function ofTabs(session, round) {
  return session.select(round % 2 === 0 ? 1 : 0);
}

/** Performs in turn a step with params, a gesture, and two taps on tabs. */
function ofScreens(session, round) {
  const taps = [() => session.step("restaurantPicked", { restaurantId: round }), () => session.back(), () => session.select(1), () => session.select(0)];
  return taps[round % taps.length]();
}
