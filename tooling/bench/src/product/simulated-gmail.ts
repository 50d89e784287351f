import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '@mailsweep/service-kit';

/** Prices of the calls that the watch makes (Gmail API reference, "Usage limits"). */
const HISTORY_UNITS = 2;
const MESSAGE_UNITS = 20;
const HISTORY_ID = 5_000;

/**
 * The least of Gmail that a watch needs, for any number of users: each has no new email, or one each time it is asked.
 * It says nothing of Gmail's own limits.
 */
export const startSimulatedGmail = async ({ latencyMs }: { latencyMs: number }) => {
  let hasNewEmail = false;
  let units = 0;
  let arrived = 0;
  const toHistory = () => {
    if (!hasNewEmail) return { historyId: String(HISTORY_ID) };
    arrived += 1;
    const message = { id: `email-${arrived}`, threadId: `thread-${arrived}`, labelIds: ['INBOX', 'UNREAD'] };
    return {
      historyId: String(HISTORY_ID),
      history: [{ id: String(HISTORY_ID), messagesAdded: [{ message }] }],
    };
  };
  const toMessage = (id: string) => ({
    id,
    threadId: `thread-${id}`,
    labelIds: ['INBOX', 'UNREAD'],
    historyId: String(HISTORY_ID),
    internalDate: String(Date.now()),
    sizeEstimate: 20_000,
    snippet: 'This week only: everything for the garden, and free delivery for members.',
    payload: {
      mimeType: 'text/html',
      headers: [
        { name: 'From', value: 'Garden Shop <news@garden-shop.example>' },
        { name: 'Subject', value: 'This week only' },
      ],
    },
  });
  const server = await listenOnLoopback(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isHistory = path.endsWith('/history');
    units += isHistory ? HISTORY_UNITS : MESSAGE_UNITS;
    await sleep(latencyMs);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isHistory ? toHistory() : toMessage(path.split('/').at(-1) ?? '')));
  }, 0);
  return {
    url: server.url,
    /** Quota units of all calls so far. */
    units: () => units,
    letEmailArrive() {
      hasNewEmail = true;
    },
    close: () => server.close(),
  };
};
