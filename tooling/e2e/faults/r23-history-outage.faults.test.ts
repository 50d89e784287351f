import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const RECORDED_WITHIN_MS = 60_000;

const row = openRow('R23');

describe('R23 the history can’t be written after the mailbox acted', () => {
  it('the responses are correct, and the records follow with their original times, even past the API’s death', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    await stack.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "ActionHistory" EXECUTE FUNCTION refuse();`);
    const beganMs = Date.now();
    const act = (path: string, emailIds: string[], action: string) =>
      ada.ask(path, { json: { emailIds, action } });
    const archived = await act('/api/v1/inbox/actions', ['mail-1', 'unknown'], 'archive');
    const confirmed = await act('/api/v1/notifications/confirm', ['mail-2', 'mail-3'], 'accept');
    const endedMs = Date.now();
    row.ran();
    for (const { tookMs } of [archived, confirmed]) row.responded(tookMs);
    expect(archived).toMatchObject({
      status: 200,
      body: { execution: 'partial', results: [{ status: 'ok' }, { status: 'error', reason: 'not_found' }] },
    });
    expect(confirmed).toMatchObject({ status: 200, body: { execution: 'full', processed: 2 } });
    for (const id of ['mail-1', 'mail-2', 'mail-3']) {
      expect(await stack.google.labelsOf(ADA, id)).not.toContain('INBOX');
    }
    expect(await readHistory()).toEqual([]);

    // What the process knew dies with it; what it wrote down does not.
    await stack.api.kill();
    await stack.api.start();
    await stack.query('DROP FUNCTION refuse CASCADE');
    const rows = await eventually(async () => {
      const found = await readHistory();
      expect(found).toHaveLength(3);
      return found;
    }, RECORDED_WITHIN_MS);
    for (const { timestamp } of rows) {
      expect(timestamp.getTime()).toBeGreaterThanOrEqual(beganMs);
      expect(timestamp.getTime()).toBeLessThanOrEqual(endedMs);
    }
    await stack.waitUntilFinished();
    const judged = await stack.judgeConfirmed(ada.userId, ['mail-2', 'mail-3']);
    row.lost(judged.lostRecords + judged.lostInTimeline);
    row.doubled(judged.doubledRecords + judged.doubledInTimeline);
    expect(judged).toEqual({ lostRecords: 0, doubledRecords: 0, lostInTimeline: 0, doubledInTimeline: 0 });
  });

  const readHistory = () =>
    stack.query<{ emailId: string; timestamp: Date }>(
      'SELECT "emailId", "timestamp" FROM "ActionHistory" ORDER BY "emailId"',
    );

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ mail: { [ADA]: mails(3) } });
  });
});
