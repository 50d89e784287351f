import { type Behaviour, drip, hang, hangAfterHeaders } from '@mailsweep/ml-client/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  ADA,
  explainFailure,
  type FaultStack,
  startFaultStack,
  suggestArchive,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { readResidentBytes } from './harness/resident-bytes.ts';

/** Longest response time while classification misbehaves, in milliseconds. */
const LONGEST_MS = 5_500;
/** After so many failures classification is not asked for a while, and a response comes within so many milliseconds. */
const FAILURES_IN_A_ROW = 5;
const UNASKED_WITHIN_MS = 300;
const MEMORY_GROWTH_BYTES = 20 * 1024 * 1024;
const ROUNDS = byForm(1, 10);
const MAIL_COUNT = 5;

const JSON_HEADERS = { 'content-type': 'application/json' };
const respondWithText =
  (text: string, status = 200): Behaviour =>
  (response) =>
    void response.writeHead(status, JSON_HEADERS).end(text);
const respondFor =
  (suggestion: object, id?: string): Behaviour =>
  (response, items) =>
    void response
      .writeHead(200, JSON_HEADERS)
      .end(JSON.stringify(items.map((item) => ({ id: id ?? item.id, suggestions: [suggestion] }))));

const flood: Behaviour = (response) => {
  response.writeHead(200, JSON_HEADERS);
  response.end(`"${'x'.repeat(10 * 1024 * 1024)}"`);
};
const tlsJunk: Behaviour = (response) =>
  void response.socket?.end(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]));

/** What goes wrong, and whether the response is the fallback or is classified all the same. */
const FAULTS: [name: string, behaviour: Behaviour, expected: 'fallback' | 'classified'][] = [
  ['never responds', hang, 'fallback'],
  ['hangs after its headers', hangAfterHeaders, 'fallback'],
  ['drips', drip, 'fallback'],
  ['resets', (response) => response.socket?.resetAndDestroy(), 'fallback'],
  [
    'redirects',
    (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'fallback',
  ],
  ['responds with 401', respondWithText('{}', 401), 'fallback'],
  ['responds with 500', respondWithText('{}', 500), 'fallback'],
  [
    'responds with 503 and then 200',
    (response, items, callNumber) =>
      callNumber === 1 ? void response.writeHead(503).end() : suggestArchive(response, items, callNumber),
    'classified',
  ],
  ['responds with garbage', respondWithText('<html>'), 'fallback'],
  ['responds in another shape', respondWithText('{"verdict":"fine"}'), 'fallback'],
  [
    'responds with NaN',
    respondWithText(
      '[{"id":"mail-1","suggestions":[{"action":"archive","classification":"bulk","confidence_score":NaN}]}]',
    ),
    'fallback',
  ],
  ['responds with 10 MB', flood, 'fallback'],
  ['speaks TLS', tlsJunk, 'fallback'],
];

const row = openRow('R20');

describe('R20 while the classification service', () => {
  it.each(FAULTS)('%s, suggestions come in time and the memory stays', async (_name, behaviour, expected) => {
    explainFailure(stack);
    await work();
    const before = readResidentBytes(stack.api.pid());
    stack.ml.behave(behaviour);
    for (let round = 0; round < ROUNDS; round += 1) {
      const reply = await ada.ask('/api/v1/suggestions');
      row.ran();
      row.responded(reply.tookMs);
      expect(reply.status).toBe(200);
      expect(reply.tookMs).toBeLessThan(LONGEST_MS + machineSlackMs());
      expect(reply.body.classified).toBe(expected === 'classified');
      const suggestions = reply.body.emails.map(
        (email: { suggestions: unknown[] }) => email.suggestions.length,
      );
      expect(suggestions).toEqual(Array(MAIL_COUNT).fill(expected === 'classified' ? 1 : 0));
    }
    expect(readResidentBytes(stack.api.pid()) - before).toBeLessThan(MEMORY_GROWTH_BYTES);
  });

  it('refuses connections: emails are listed without suggestions', async () => {
    stack.api.links.ml.cut();
    const reply = await ada.ask('/api/v1/suggestions');
    stack.api.links.ml.heal();
    row.ran();
    row.responded(reply.tookMs);
    expect(reply).toMatchObject({ status: 200, body: { classified: false } });
    expect(reply.tookMs).toBeLessThan(LONGEST_MS + machineSlackMs());
  });

  it('returns emails that were not requested: they are dropped', async () => {
    stack.ml.behave(
      respondFor({ action: 'archive', classification: 'bulk', confidence_score: 0.9 }, 'foreign'),
    );
    const reply = await ada.ask('/api/v1/suggestions');
    row.ran();
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('foreign');
  });

  it('fails five times in a row, it is no longer waited for, and is asked again by itself later', async () => {
    explainFailure(stack);
    await work();
    stack.ml.behave(respondWithText('{}', 500));
    for (let failure = 0; failure < FAILURES_IN_A_ROW; failure += 1) await ada.ask('/api/v1/suggestions');
    stack.ml.behave(hang);
    const mailbox = await ada.ask('/api/v1/emails');
    const reply = await ada.ask('/api/v1/suggestions');
    row.ran();
    row.responded(reply.tookMs);
    expect(reply).toMatchObject({ status: 200, body: { classified: false } });
    expect(reply.tookMs).toBeLessThan(mailbox.tookMs + UNASKED_WITHIN_MS + machineSlackMs());
    expect(stack.ml.calls).toEqual([]);
    await work();
  });

  /** Heals classification, and waits until it is asked again. */
  const work = async () => {
    stack.ml.behave(suggestArchive);
    await eventually(
      async () => expect((await ada.ask('/api/v1/suggestions')).body).toMatchObject({ classified: true }),
      60_000,
    );
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({ workers: 0, mail: { [ADA]: mails(MAIL_COUNT) } });
    ada = await stack.signIn();
  });
});
