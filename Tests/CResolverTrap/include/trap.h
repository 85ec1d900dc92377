#pragma once

// Waits until a lookup of a name that ends in ".stalled.invalid" has begun; such a lookup never returns. 0: it did not begin in time.
int cairn_await_stalled_lookup(int seconds);
