import { newIdempotencyKey } from '@mailsweep/client';

/** What the user asked for once, by a click or a key; it stays the same when it is tried again. */
export interface Gesture {
  id: string;
  /** The idempotency key of the gesture's n-th request, counted from 0. */
  keyOf(request: number): string;
}

/**
 * Begins a gesture.
 *
 * @param id - of a gesture that began before the page was loaded again
 */
export const beginGesture = (id = newIdempotencyKey()): Gesture => ({
  id,
  keyOf: (request) => `${id}-${request}`,
});

/** The gesture that an idempotency key belongs to. */
export const toGestureId = (key: string): string => key.slice(0, key.lastIndexOf('-'));
