/**
 * Returns the wait before the next attempt, in milliseconds. Its upper bound begins at `first` and doubles with each attempt, up to `most`. The wait is random,
 * and at least half of this bound.
 */
export function backoff(attempt, random, { first = 500, most = 10_000 } = {}) {
  const whole = Math.min(most, first * 2 ** Math.min(attempt - 1, 16));
  return whole / 2 + (random() * whole) / 2;
}

/** Limit for Retry-After, in seconds. A timer of more than 24 days would fire at once. */
const mostRetryAfter = 86_400;

/**
 * Returns the wait in milliseconds before the next attempt of a request for which a user waits. It is the problem's Retry-After plus at most 250 ms. Without
 * Retry-After, it is at most 5 s.
 */
export function delayAfter(problem, attempt, random) {
  const own = backoff(attempt, random, { most: 5000 });
  return problem.retryAfter === undefined ? own : Math.min(problem.retryAfter, mostRetryAfter) * 1000 + random() * 250;
}
