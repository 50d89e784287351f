import { WORK_CHANNEL } from '@mailsweep/core';
import { listenToChannel } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  type Lifecycle,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

/** Wakes a loop as soon as work of its kind is announced. Without a connection the loops look by themselves. */
export const listenForWork = (
  { databaseUrl, logger, lifecycle }: { databaseUrl: string; logger: Logger; lifecycle: Lifecycle },
  loops: ReadonlyMap<string, Pick<BackgroundLoop, 'wake'>>,
): void => {
  const stopping = new AbortController();
  const listening = startBackgroundLoop({
    async task() {
      await listenToChannel({
        databaseUrl,
        channel: WORK_CHANNEL,
        signal: stopping.signal,
        onListening() {
          for (const loop of loops.values()) loop.wake();
        },
        onNotified: (kind) => loops.get(kind)?.wake(),
      });
      return true;
    },
    intervalMs: 0,
    outageLog: createOutageLog(logger, 'listening for due work'),
  });
  lifecycle.onClose('listening for due work', () => {
    stopping.abort();
    return listening.close();
  });
};
