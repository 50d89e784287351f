/**
 * Posts what Mailsweep did this week to a chat: Slack, Mattermost, or another that takes `{"text": "…"}`. Run it by cron.
 *
 * MAILSWEEP_API=http://localhost:3000 MAILSWEEP_TOKEN=msw_… CHAT_WEBHOOK=https://… node weekly-digest.mjs
 *
 * The token needs the scope `read` alone.
 */
const { MAILSWEEP_API, MAILSWEEP_TOKEN, CHAT_WEBHOOK } = process.env;
if (!MAILSWEEP_API || !MAILSWEEP_TOKEN || !CHAT_WEBHOOK) {
  throw new Error('Set MAILSWEEP_API, MAILSWEEP_TOKEN and CHAT_WEBHOOK.');
}
const TIMEOUT_MS = 30_000;

/** Reads from the API; waits and asks once more where it says when. */
const read = async (path, isLast = false) => {
  const response = await fetch(new URL(`/api/v1${path}`, MAILSWEEP_API), {
    headers: { authorization: `Bearer ${MAILSWEEP_TOKEN}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return response.json();
  const { code, detail, requestId } = await response.json();
  const waitS = Number(response.headers.get('retry-after'));
  if (isLast || !(waitS > 0 && waitS <= 60)) throw new Error(`${code}: ${detail} (request ${requestId})`);
  await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
  return read(path, true);
};

const [activity, mailbox, groups] = await Promise.all([
  read('/activity?period=weekly'),
  read('/mailbox'),
  read('/suggestions/groups'),
]);
const { cleaned, byAction } = activity;
const done = Object.entries(byAction)
  .filter(([, count]) => count > 0)
  .map(([action, count]) => `${action} ${count}`);
const lines = [
  `*This week* ${cleaned.emails} emails cleaned${done.length > 0 ? ` (${done.join(', ')})` : ''}.`,
  `*Inbox* ${mailbox.inbox.total}, ${mailbox.inbox.unread} of them unread.`,
  `*Suggestions* ${groups.emails} emails wait for your decision.`,
];
const posted = await fetch(CHAT_WEBHOOK, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text: lines.join('\n') }),
  signal: AbortSignal.timeout(TIMEOUT_MS),
});
if (!posted.ok) throw new Error(`The chat refused the message with ${posted.status}.`);
