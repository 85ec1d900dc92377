/** How long to wait before the attempt after this one, in milliseconds: doubled each time up to half a minute, and half of it chance. */
export function backoff(attempt, random, { first = 500, most = 30_000 } = {}) {
  const whole = Math.min(most, first * 2 ** Math.min(attempt - 1, 16));
  return whole / 2 + (random() * whole) / 2;
}

/** As `backoff`, but not before the problem's Retry-After. */
export function delayAfter(problem, attempt, random) {
  const own = backoff(attempt, random);
  return problem.retryAfter === undefined ? own : problem.retryAfter * 1000 + random() * 250;
}
