import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updatePreferences } from '../account/update-preferences.ts';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

/** What Gmail calls a label of its own in the language of an account (GAM-team/got-your-back#442). */
const REFUSED = 'Enviado';
const IDS = ['m0', 'm1'];
const refusals = IDS.map((emailId) => ({
  emailId,
  status: 'error',
  reason: 'label_refused',
  refusedLabel: { name: REFUSED, alternative: '_Enviado' },
}));

describe('a label whose name Gmail refuses', () => {
  test('is named with another one, and the suggestions stay open for that', async () => {
    expect(await one.label(IDS, REFUSED)).toMatchObject({ execution: 'none', data: [], results: refusals });
    expect(await countOpen()).toBe(2);
    expect(await one.label(IDS, '_Enviado')).toMatchObject({ execution: 'full' });
    expect(await countOpen()).toBe(0);
  });

  test('is named where it stands for a classification', async () => {
    await updatePreferences(
      bench.database,
      bench.userId,
      { labelNames: { bulk: REFUSED } },
      { address: null, browser: null },
    );
    expect(await one.confirm(IDS, 'accept')).toMatchObject({ execution: 'none', results: refusals });
    expect(await countOpen()).toBe(2);
  });

  test('ends a cleanup before it decides about anything', async () => {
    const selection = { type: 'suggestions' as const, except: [] };
    const plan = await one.cleanups.plan({ action: 'label', label: REFUSED, selection });
    await one.cleanups.control(plan.id, 'run');
    expect(await one.cleanups.work(plan.id)).toMatchObject({
      state: 'failed',
      error: 'label_refused',
      label: REFUSED,
    });
    expect(await countOpen()).toBe(2);
  });
});

const countOpen = async () => (await one.listStoredSuggestions({})).data.length;

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    IDS.map((id, index) => seedMessage(id, index, ['INBOX'])),
    {},
  );
  one = bench.openProcess();
  await one.list({ scope: 'all' });
  await bench.storeSuggestions(IDS, 'label');
});
afterEach(() => bench.close());
