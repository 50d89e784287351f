import type { ActionHistoryRecord } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { sampleRecord } from '../testing/sample-mail.ts';
import { findHistoryRecords } from './find-history-records.ts';

const find = (history: ActionHistoryRecord[], emailIds: string[]) => {
  const pages: number[] = [];
  const client = {
    listActionHistory: async ({ query }: { query?: { page?: number; perPage?: number } }) => {
      const { page = 1, perPage = 20 } = query ?? {};
      pages.push(page);
      return {
        total: history.length,
        page,
        perPage,
        data: history.slice((page - 1) * perPage, page * perPage),
      };
    },
  };
  return findHistoryRecords({ client, emailIds, action: 'archive' }).then((found) => ({ found, pages }));
};

describe('the records of an action', () => {
  it('are the newest of the same action on the same mails that still stand', async () => {
    const { found } = await find(
      [
        sampleRecord(11, { emailId: 'mail-1', action: 'delete' }),
        sampleRecord(12, { emailId: 'mail-1', undoneAt: '2026-01-31T10:00:00.000Z' }),
        sampleRecord(13, { emailId: 'mail-1' }),
        sampleRecord(14, { emailId: 'mail-1' }),
        sampleRecord(15, { emailId: 'mail-9' }),
      ],
      ['mail-1'],
    );
    expect(found).toEqual([sampleRecord(13).id]);
  });

  it('are sought through as many pages as they fill, and no further', async () => {
    const history = Array.from({ length: 450 }, (_nothing, index) => sampleRecord(index));
    const { found, pages } = await find(
      history,
      history.slice(0, 250).map((record) => record.emailId),
    );
    expect(found).toHaveLength(250);
    expect(pages).toEqual([1, 2, 3]);
  });

  it('are given up on when the history does not have them', async () => {
    const history = Array.from({ length: 3_000 }, (_nothing, index) => sampleRecord(index));
    const { found, pages } = await find(history, ['mail-none']);
    expect(found).toEqual([]);
    expect(pages.length).toBeLessThan(10);
  });
});
