import { useSyncExternalStore } from 'react';
import { UnreachableError } from './api-errors.ts';

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

/**
 * Sends a request once there is a network, and again where the network was lost on the way: only for requests that carry
 * an idempotency key.
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
      if (!(error instanceof UnreachableError && isOffline())) throw error;
    }
  }
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
