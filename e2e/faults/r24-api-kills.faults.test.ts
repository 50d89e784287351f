import { beforeAll, expect, it } from 'vitest';
import { byForm, openRow } from './harness/campaign.ts';
import { killAtExchange, recordExchanges } from './harness/exchange-points.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

/** How many points of a request are tried; each is a kill and a restart. */
const POINTS = byForm(10, 60);
const EMAILS_PER_REQUEST = 2;
/** Longest time that an action may be unrecorded after a restart. */
const RECORDED_WITHIN_MS = 60_000;

const CONFIRM = '/api/v1/notifications/confirm';

/** Where a request leaves traces. */
const TRACES = ['postgres', 'gmail'] as const;

const row = openRow('R24');

describeOnEachQueue(
  'R24 the API is killed',
  (queue) => {
    it('at any point of confirm: mailbox, history and timeline agree within a minute of the restart', async () => {
      explainFailure(stack);
      const ada = await stack.signIn();
      const confirm = (point: number) =>
        ada.ask(CONFIRM, { json: { emailIds: emailsOf(point), action: 'accept' } });

      const answered: string[] = [];
      /** Opens the connections that a request needs, so that each attempt has the same exchanges. */
      const warmUp = async (point: number) => {
        const emailId = `warm-up-${point + 1}`;
        expect(await ada.ask(CONFIRM, { json: { emailIds: [emailId], action: 'accept' } })).toMatchObject({
          status: 200,
        });
        answered.push(emailId);
      };

      await warmUp(0);
      const finish = recordExchanges(stack.api, TRACES);
      expect((await confirm(0)).status).toBe(200);
      answered.push(...emailsOf(0));
      const exchanges = finish().length;
      expect(exchanges).toBeGreaterThanOrEqual(10);

      let leftOpen = 0;
      for (let point = 1; point <= POINTS; point += 1) {
        // Spread over the whole request, the first and the last exchange included.
        const k = 1 + Math.round(((point - 1) * (exchanges - 1)) / (POINTS - 1));
        await warmUp(point);
        const killed = killAtExchange(stack.api, TRACES, k);
        const answer = await confirm(point);
        if (answer.status === 200) answered.push(...emailsOf(point));
        await killed;
        leftOpen +=
          (await stack.query('SELECT FROM "ActionIntent" WHERE "leasedUntil" > now()')).length > 0 ? 1 : 0;
        await stack.api.start();
        row.ran();
      }

      // Else no kill came between the plan and its end.
      expect(leftOpen).toBeGreaterThan(0);
      await stack.settle(RECORDED_WITHIN_MS);
      const judged = await stack.judgeConfirmed(ada.userId, answered);
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

    let stack: FaultStack;
    beforeAll(async () => {
      stack = await startFaultStack({
        queue,
        mail: { [ADA]: [...mails((POINTS + 1) * EMAILS_PER_REQUEST), ...mails(POINTS + 1, 'warm-up')] },
      });
    });
  },
  { short: 'postgres' },
);

const emailsOf = (point: number): string[] =>
  Array.from({ length: EMAILS_PER_REQUEST }, (_, index) => `mail-${point * EMAILS_PER_REQUEST + index + 1}`);
