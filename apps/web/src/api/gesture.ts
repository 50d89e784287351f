const KEY_BYTES = 16;

/** What the user asked for once, by a click or a key; it stays the same when it is tried again. */
export interface Gesture {
  id: string;
  /** The idempotency key of the gesture's n-th request, counted from 0. */
  keyOf(request: number): string;
}

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/**
 * Begins a gesture. Works on plain HTTP, too, where browsers offer no `crypto.randomUUID`.
 *
 * @param id - of a gesture that began before the page was loaded again
 */
export const beginGesture = (id = newId()): Gesture => ({ id, keyOf: (request) => `${id}-${request}` });

/** The gesture that an idempotency key belongs to. */
export const toGestureId = (key: string): string => key.slice(0, key.lastIndexOf('-'));
