const KEY_BYTES = 16;

/** What the user asked for once, by a click or a key; it stays the same when it is tried again. */
export interface Gesture {
  /** The idempotency key of the gesture's n-th request, counted from 0. */
  keyOf(request: number): string;
}

/** Begins a gesture. Works on plain HTTP, too, where browsers offer no `crypto.randomUUID`. */
export const beginGesture = (): Gesture => {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { keyOf: (request) => `${id}-${request}` };
};
