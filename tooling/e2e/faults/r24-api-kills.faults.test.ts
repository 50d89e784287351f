import { beforeAll, expect, it } from 'vitest';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import { choosePoints, killAtPoint, recordExchanges } from './harness/exchange-points.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

/** How many points of a request are tried; each is a kill and a restart. */
const POINTS = byForm(16, 60);
const POINTS_AT_LEAST = 10;
const EMAILS_PER_REQUEST = 2;
/** More than one for each: a busy machine may keep a process from its database just after its start. */
const WARM_UPS = 4 * (POINTS + 1);
/** Longest time that an action may be unrecorded after a restart. */
const RECORDED_WITHIN_MS = 60_000;

const CONFIRM = '/api/v1/notifications/confirm';

/** Where a request leaves traces. */
const TRACES = ['postgres', 'gmail'] as const;

const row = openRow('R24');

describeOnEachQueue('R24 the API is killed', 'redis', (queue) => {
  it('at any point of confirm: mailbox, history and timeline agree within a minute of the restart', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const confirm = (point: number) =>
      ada.ask(CONFIRM, { json: { emailIds: emailsOf(point), action: 'accept' } });

    const confirmed: string[] = [];
    let warmUps = 0;
    /** Opens the connections that a request needs, so that each attempt has the same exchanges. */
    const warmUp = async () => {
      await eventually(async () => {
        warmUps += 1;
        const json = { emailIds: [`warm-up-${warmUps}`], action: 'accept' };
        expect((await ada.ask(CONFIRM, { json })).status).toBe(200);
      });
      confirmed.push(`warm-up-${warmUps}`);
      await expectPublished();
    };

    await warmUp();
    const finish = recordExchanges(stack.api, TRACES);
    expect((await confirm(0)).status).toBe(200);
    confirmed.push(...emailsOf(0));
    const exchanges = finish();
    expect(exchanges.length).toBeGreaterThanOrEqual(POINTS_AT_LEAST);

    let leftOpen = 0;
    for (const [index, killPoint] of choosePoints(exchanges, POINTS).entries()) {
      const point = index + 1;
      await warmUp();
      const killed = killAtPoint(stack.api, TRACES, killPoint);
      const response = await confirm(point);
      if (response.status === 200) confirmed.push(...emailsOf(point));
      await killed;
      leftOpen +=
        (await stack.query('SELECT FROM "ActionIntent" WHERE "leasedUntil" > now()')).length > 0 ? 1 : 0;
      await stack.api.start();
      row.ran();
    }

    // Else no kill came between the plan and its end.
    expect(leftOpen).toBeGreaterThan(0);
    await stack.waitUntilFinished(RECORDED_WITHIN_MS);
    const judged = await stack.judgeConfirmed(ada.userId, confirmed);
    row.lost(judged.lostRecords + judged.lostInTimeline);
    row.doubled(judged.doubledRecords + judged.doubledInTimeline);
    expect(judged).toEqual({ lostRecords: 0, doubledRecords: 0, lostInTimeline: 0, doubledInTimeline: 0 });

    // The mailbox acted on exactly the emails that the history has.
    const recorded = await stack.query<{ emailId: string }>('SELECT "emailId" FROM "ActionHistory"');
    const inHistory = new Set(recorded.map(({ emailId }) => emailId));
    for (let point = 0; point <= POINTS; point += 1) {
      for (const id of emailsOf(point)) {
        const isArchived = !(await stack.google.labelsOf(ADA, id)).includes('INBOX');
        expect({ id, isRecorded: inHistory.has(id) }).toEqual({ id, isRecorded: isArchived });
      }
    }
  });

  it('at any turn of making suggestions: they are stored and published, or neither', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const suggest = async () => {
      await eventually(async () => expect((await ada.ask('/api/v1/suggestions')).status).toBe(200));
      await expectPublished();
    };
    await suggest();
    const finish = recordExchanges(stack.api, TRACES);
    expect((await ada.ask('/api/v1/suggestions')).status).toBe(200);
    const exchanges = finish();
    await expectPublished();
    const turns = exchanges.filter(({ isLasting }) => isLasting).length;
    for (const point of choosePoints(exchanges, turns + 2)) {
      const before = await readSuggested();
      const killed = killAtPoint(stack.api, TRACES, point);
      await ada.ask('/api/v1/suggestions');
      await killed;
      await stack.api.start();
      row.ran();
      const after = await readSuggested();
      const isTold = after.events > before.events;
      row.lost(after.storedAt > before.storedAt && !isTold ? 1 : 0);
      expect({ point, isStored: after.storedAt > before.storedAt }).toEqual({ point, isStored: isTold });
      await suggest();
    }
  });

  /** Waits until the relay, too, has nothing to do: then each attempt has the same exchanges. */
  const expectPublished = () =>
    eventually(async () =>
      expect(await stack.query('SELECT FROM "OutboxEvent" WHERE "publishedAt" IS NULL')).toEqual([]),
    );
  const readSuggested = async () => {
    const [found] = await stack.query<{ storedAt: number; events: number }>(
      `SELECT (SELECT extract(epoch FROM max("generatedAt"))::float8 FROM "EmailSuggestion") AS "storedAt",
        (SELECT count(*)::int FROM "OutboxEvent" WHERE "type" = 'domain.suggestions.generated') AS "events"`,
    );
    return found ?? { storedAt: 0, events: 0 };
  };

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      queue,
      mail: { [ADA]: [...mails((POINTS + 1) * EMAILS_PER_REQUEST), ...mails(WARM_UPS, 'warm-up')] },
    });
  });
});

const emailsOf = (point: number): string[] =>
  Array.from({ length: EMAILS_PER_REQUEST }, (_, index) => `mail-${point * EMAILS_PER_REQUEST + index + 1}`);
