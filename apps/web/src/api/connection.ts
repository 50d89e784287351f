import { UnreachableError } from '@mailsweep/client';
import { useSyncExternalStore } from 'react';

/** The state of the network, as the offline banner shows it. */
export interface Connection {
  isOffline: boolean;
  /** Idempotency keys of the requests that are sent once there is a network again. */
  waiting: readonly string[];
}

// Not every environment knows; what does not say that it is offline is online.
const isOffline = (): boolean => globalThis.navigator?.onLine === false;

let connection: Connection = { isOffline: isOffline(), waiting: [] };
const listeners = new Set<() => void>();

const update = (change: Partial<Connection>): void => {
  connection = { ...connection, ...change };
  for (const listener of listeners) listener();
};

const whenOnline = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));

/** Whether there was no response: `fetch` itself throws a `TypeError` then. */
const isLost = (error: unknown): boolean => error instanceof UnreachableError || error instanceof TypeError;

/**
 * Sends a request once there is a network, and again where the network was lost on the way: only for requests that may be
 * repeated.
 *
 * @param key - its idempotency key
 * @throws as `send` does while there is a network
 */
export const sendWhenOnline = async <T>(key: string, send: () => Promise<T>): Promise<T> => {
  for (;;) {
    if (isOffline()) {
      update({ waiting: [...connection.waiting, key] });
      await whenOnline();
      update({ waiting: connection.waiting.filter((other) => other !== key) });
    }
    try {
      return await send();
    } catch (error) {
      if (!(isLost(error) && isOffline())) throw error;
    }
  }
};

/** Has what carries an idempotency key wait for the network. */
export const fetchWhenOnline =
  (send: typeof fetch): typeof fetch =>
  (url, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    return key === null ? send(url, init) : sendWhenOnline(key, () => send(url, init));
  };

const onChange = () => update({ isOffline: isOffline() });
// From the start: what shows the state may be there only after the network is back.
globalThis.addEventListener?.('online', onChange);
globalThis.addEventListener?.('offline', onChange);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether the browser has a network, and what waits for it. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
