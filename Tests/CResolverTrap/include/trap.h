#pragma once

// Waits until a lookup of a name that ends in ".stalled.invalid" has begun; such a lookup never returns. Returns 0 if none began in time.
int cairn_await_stalled_lookup(int seconds);
