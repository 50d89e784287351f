import { UnreachableError } from '@mailsweep/client';
import { useSyncExternalStore } from 'react';

/** The network's state, for the offline banner. */
export interface Connection {
  isOffline: boolean;
  /** Idempotency keys of requests that wait for the network. */
  waiting: readonly string[];
}

let connection: Connection = { isOffline: false, waiting: [] };
const listeners = new Set<() => void>();

const update = (change: Partial<Connection>): void => {
  connection = { ...connection, ...change };
  for (const listener of listeners) listener();
};

const whenOnline = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = subscribe(() => {
      if (connection.isOffline) return;
      stop();
      resolve();
    });
  });

/** Whether there was no response, and the browser has no network. `fetch` throws a `TypeError` without a response. */
const isOfflineError = (error: unknown): boolean =>
  (error instanceof UnreachableError || error instanceof TypeError) && !navigator.onLine;

/** Sends in any case: a service on the same device needs no network. */
const attempt = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    const response = await send();
    if (connection.isOffline) update({ isOffline: false });
    return response;
  } catch (error) {
    if (isOfflineError(error) && !connection.isOffline) update({ isOffline: true });
    throw error;
  }
};

/**
 * Sends, and if there is no network, again once there is. Only for requests that may be repeated.
 *
 * @param key - its idempotency key
 * @throws as `send` does while there is a network
 */
export const sendWhenOnline = async <T>(key: string, send: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await attempt(send);
    } catch (error) {
      if (!isOfflineError(error)) throw error;
    }
    update({ waiting: [...connection.waiting, key] });
    await whenOnline();
    update({ waiting: connection.waiting.filter((other) => other !== key) });
  }
};

/** Lets requests with an idempotency key wait for the network. */
export const fetchWhenOnline =
  (send: typeof fetch): typeof fetch =>
  (url, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    return key === null ? attempt(() => send(url, init)) : sendWhenOnline(key, () => send(url, init));
  };

// Listens from the start: components may mount after the network is back.
globalThis.addEventListener?.('online', () => update({ isOffline: false }));
globalThis.addEventListener?.('offline', () => update({ isOffline: true }));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether the last request found no network. */
export const isOffline = (): boolean => connection.isOffline;

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
