import type { QueueBackend } from '../queue/queue-backend.ts';
import { RETIRED_QUEUES } from '../queue/queues.ts';

/** Removes the queues that no worker reads any more, with their jobs. */
export const removeRetiredQueues = async (queue: QueueBackend): Promise<void> => {
  for (const name of RETIRED_QUEUES) {
    const retired = await queue.openQueue(name);
    await retired.obliterate({ force: true });
  }
};
