import { useSyncExternalStore } from 'react';
import { UnreachableError } from './api-errors.ts';

/** The state of the network, as the offline banner shows it. */
export interface Connection {
  isOffline: boolean;
  /** Requests that are sent once there is a network again. */
  waiting: number;
}

// Not every environment knows; what does not say that it is offline is online.
const isOffline = (): boolean => globalThis.navigator?.onLine === false;

let connection: Connection = { isOffline: isOffline(), waiting: 0 };
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
 * @throws as `send` does while there is a network
 */
export const sendWhenOnline = async <T>(send: () => Promise<T>): Promise<T> => {
  for (;;) {
    if (isOffline()) {
      update({ waiting: connection.waiting + 1 });
      await whenOnline();
      update({ waiting: connection.waiting - 1 });
    }
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof UnreachableError && isOffline())) throw error;
    }
  }
};

const subscribe = (listener: () => void): (() => void) => {
  const onChange = () => update({ isOffline: isOffline() });
  listeners.add(listener);
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
};

/** Whether the browser has a network, and what waits for it. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
