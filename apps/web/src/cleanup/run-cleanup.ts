import type { Cleanup } from '@mailsweep/contracts';
import type { ApiClient } from '../api/api-client.ts';
import type { Gesture } from '../api/gesture.ts';

/** How often a cleanup is looked at while the server executes it, in milliseconds. */
const FOLLOW_INTERVAL_MS = 700;

const pause = () => new Promise((resolve) => setTimeout(resolve, FOLLOW_INTERVAL_MS));

/** Whether the server has stopped: at the end, or because the user has to act first. */
const isOver = ({ finishedAt, state }: Cleanup): boolean => finishedAt !== null || state === 'paused';

/**
 * Has the server execute a plan, and follows it until it stops. The server goes on where the app is closed.
 *
 * @param gesture - the click or key behind it
 * @throws as the client does
 */
export const runCleanup = async (
  client: Pick<ApiClient, 'runCleanup' | 'getCleanup'>,
  id: string,
  gesture: Gesture,
  onProgress: (cleanup: Cleanup) => void,
): Promise<Cleanup> => {
  const params = { id };
  let cleanup: Cleanup = await client.runCleanup({ params, idempotencyKey: gesture.keyOf(0) });
  while (!isOver(cleanup)) {
    onProgress(cleanup);
    await pause();
    cleanup = await client.getCleanup({ params });
  }
  return cleanup;
};
