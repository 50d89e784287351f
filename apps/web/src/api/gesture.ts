import { newIdempotencyKey } from '@mailsweep/client';

/** One click or key press; retries belong to it. */
export interface Gesture {
  id: string;
  /** The idempotency key of the n-th request, counted from 0. */
  keyOf(request: number): string;
}

/** @param id - of a gesture from before a reload */
export const beginGesture = (id = newIdempotencyKey()): Gesture => ({
  id,
  keyOf: (request) => `${id}-${request}`,
});

export const toGestureId = (key: string): string => key.slice(0, key.lastIndexOf('-'));
