// Receives Mailsweep's webhook, and takes no call without a right signature. Needs Node alone.
//
// WEBHOOK_SIGNING_SECRET=whsec_… node receive.mjs 8080
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';

const KEY = Buffer.from(process.env.WEBHOOK_SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
const MAX_AGE_S = 5 * 60;
// In real use: a table, as calls can be repeated for a day.
const received = new Set();

/** Whether one of the signatures is right (https://www.standardwebhooks.com), and new. */
const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(sentAt)) <= MAX_AGE_S)) return false;
  const right = createHmac('sha256', KEY).update(`${id}.${sentAt}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
};

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const genuine = isGenuine(request.headers, body);
  response.writeHead(genuine ? 204 : 401).end();
  const id = request.headers['webhook-id'];
  if (!genuine || received.has(id)) return;
  received.add(id);
  const { type, data } = JSON.parse(body);
  process.stdout.write(`${type} ${JSON.stringify(data)}\n`);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);
