/** The wait before the next attempt, in milliseconds: doubled each time up to `most`, and half of it random. */
export function backoff(attempt, random, { first = 500, most = 10_000 } = {}) {
  const whole = Math.min(most, first * 2 ** Math.min(attempt - 1, 16));
  return whole / 2 + (random() * whole) / 2;
}

/** The longest Retry-After that is heeded, in seconds. A timer of more than 24 days would end at once. */
const mostRetryAfter = 86_400;

/** As `backoff`, for a request that a user waits for: at most 5 s, but not before the problem's Retry-After. */
export function delayAfter(problem, attempt, random) {
  const own = backoff(attempt, random, { most: 5000 });
  return problem.retryAfter === undefined ? own : Math.min(problem.retryAfter, mostRetryAfter) * 1000 + random() * 250;
}
