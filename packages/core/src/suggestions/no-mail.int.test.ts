import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const LABELS: Record<string, string[]> = { draft: ['DRAFT'], chat: ['CHAT'], mail: ['INBOX'] };

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  const messages = Object.entries(LABELS).map(([id, labels], index) => seedMessage(id, index, labels));
  const more = Array.from({ length: 12 }, (_, index) => seedMessage(`m${index}`, 10 + index, ['INBOX']));
  // Gmail itself would take the changes.
  bench = await openSandboxBench([...messages, ...more], { draftChanges: 'accepted' });
  one = bench.openProcess();
});
afterEach(() => bench.close());

describe('drafts and chats that were never listed', () => {
  const REFUSED = { status: 'error', reason: 'not_found' };

  test.each([0, 12])('are not changed, by themselves or among %i others', async (count) => {
    const others = Array.from({ length: count }, (_, index) => `m${index}`);
    const ids = ['draft', 'chat', 'mail', ...others];
    for (const act of [() => one.act(ids, 'delete'), () => one.label(ids)]) {
      const { results } = await act();
      expect(results.slice(0, 3)).toMatchObject([
        { emailId: 'draft', ...REFUSED },
        { emailId: 'chat', ...REFUSED },
        { emailId: 'mail', status: 'ok' },
      ]);
    }
    expect([bench.readLabels().get('draft'), bench.readLabels().get('chat')]).toEqual([['DRAFT'], ['CHAT']]);
  });

  test.each(['accept', 'reject'] as const)('have no suggestions to %s', async (action) => {
    await bench.cacheMessages(['draft', 'chat', 'mail']);
    await bench.storeSuggestions(['draft', 'chat', 'mail'], 'notify');
    const { results } = await one.confirm(['draft', 'chat', 'mail'], action);
    expect(results).toMatchObject([REFUSED, REFUSED, { status: 'ok' }]);
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['mail']);
  });
});
