import { ListEmailsResponseSchema, ListSuggestionsResponseSchema } from '@mailsweep/contracts';
import { beforeAll, expect, it } from 'vitest';
import { openRow } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';

const WEIRD_TEXTS = [
  'a\u0000b',
  '\u0000',
  'lone \ud83c',
  '\udf37 lone',
  '\u202ereversed\u202c \u2066isolated',
  'x'.repeat(100_000),
  '🌷'.repeat(30_000),
  '=?utf-8?Q?Gr=C3=BC=C3=9Fe=00?=',
  '=?utf-8?B?//79?=',
  '=?x-unknown?Q?=FF=FE?=',
  '=?utf-8?Q?unfinished',
  'caf\u00e9 \u0080\u009f\u00ff',
  '\u001b[31mred\u0007',
  '\r\nBcc: eve@example.com',
  '\u2028\u2029\ufeff',
  '{"$ref":"#"}',
  '__proto__',
  '',
];

const row = openRow('R14');

describeOnEachQueue('R14 emails with weird texts', 'postgres', (queue) => {
  it('are listed, classified, confirmed, cached and published, and break no event', async () => {
    explainFailure(stack);
    // The classification service says them back.
    stack.ml.behave((response, items) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const suggest = (classification: string) => ({
        action: 'archive',
        classification,
        confidence_score: 0.9,
        id: classification,
      });
      const reply = items.map(({ id }, index) => ({
        id,
        suggestions: [suggest(WEIRD_TEXTS[index] ?? ''), suggest('bulk')],
      }));
      response.end(JSON.stringify(reply));
    });
    const ada = await stack.signIn();
    const listed = await ada.ask('/api/v1/emails?pageSize=100');
    expect(listed.status).toBe(200);
    const { emails } = ListEmailsResponseSchema.parse(listed.body);
    expect(emails).toHaveLength(MAIL.length);
    for (const email of emails) {
      row.ran();
      for (const text of [email.subject, email.from, email.snippet]) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(text.length).toBeLessThanOrEqual(1_000);
      }
    }

    const suggested = await ada.ask('/api/v1/suggestions?pageSize=100');
    expect(suggested.status).toBe(200);
    expect(ListSuggestionsResponseSchema.parse(suggested.body)).toMatchObject({ classified: true });
    const emailIds = emails.map(({ id }) => id);
    const confirmed = await ada.ask('/api/v1/notifications/confirm', {
      json: { emailIds, action: 'accept' },
    });
    expect(confirmed).toMatchObject({ status: 200, body: { processed: MAIL.length } });

    await stack.waitUntilFinished();
    const [published] = await stack.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM "OutboxEvent"',
    );
    const timeline = (await ada.ask('/api/v1/notifications/events?perPage=100')).body;
    row.lost((published?.count ?? 0) - timeline.total);
    expect(timeline.total).toBe(published?.count);
    expect(timeline.total).toBeGreaterThanOrEqual(2);
    expect(await stack.judgeConfirmed(ada.userId, emailIds)).toEqual({
      lostRecords: 0,
      doubledRecords: 0,
      lostInTimeline: 0,
      doubledInTimeline: 0,
    });
    for (const { body } of stack.webhook.calls)
      expect(JSON.parse(body)).toMatchObject({ data: { userId: ada.userId } });
    expect(stack.webhook.calls.length).toBeGreaterThanOrEqual(1);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue, mail: { [ADA]: MAIL } });
  });
});

const MAIL = WEIRD_TEXTS.map((text, index) => ({
  id: `weird-${index}`,
  subject: text,
  from: `${text} <shop@shop.example>`,
  text: text.slice(0, 1_000),
}));
