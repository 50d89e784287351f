import { describe, expect, it } from 'vitest';
import { createInboxCounts } from './inbox-counts.ts';

const setUp = () => {
  let nowMs = 0;
  let asked = 0;
  const counts = createInboxCounts({ reuseMs: 60_000, nowMs: () => nowMs });
  return {
    counts,
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** The n-th count has n emails. */
    get: (userId = 'ada') =>
      counts.get(userId, async () => {
        asked += 1;
        return { total: asked, unread: 0 };
      }),
  };
};

describe('counts of inboxes', () => {
  it('are reused for a while, for one user alone', async () => {
    const { get, advance } = setUp();
    expect(await Promise.all([get(), get()])).toMatchObject([{ total: 1 }, { total: 1 }]);
    expect(await get('grace')).toMatchObject({ total: 2 });
    advance(59_999);
    expect(await get()).toMatchObject({ total: 1 });
    advance(1);
    expect(await get()).toMatchObject({ total: 3 });
  });

  it('are requested again once the inbox has changed, even if one was in flight', async () => {
    const { get, counts } = setUp();
    const inFlight = get();
    counts.forget('ada');
    expect(await inFlight).toMatchObject({ total: 1 });
    expect(await get()).toMatchObject({ total: 2 });
  });

  it('that failed are not remembered', async () => {
    const { get, counts } = setUp();
    const failing = counts.get('ada', () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
    expect(await get()).toMatchObject({ total: 1 });
  });
});
