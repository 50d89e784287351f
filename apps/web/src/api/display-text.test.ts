import { describe, expect, it } from 'vitest';
import { sampleCleanup, sampleEmail } from '../testing/sample-email.ts';
import { createAppClient } from './app-client.ts';
import { toDisplayText, withDisplayText } from './display-text.ts';

/** Right-to-left override: shows the rest as `exe.png`. */
const OVERRIDE = '\u202e';

describe('a text of an email', () => {
  it('keeps its letters in their places, whatever controls it has', () => {
    expect(toDisplayText(`invoice ${OVERRIDE}gnp.exe`)).toBe('invoice gnp.exe');
    expect(toDisplayText('\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c')).toBe('');
    expect(toDisplayText('תזכורת: 3 👩‍🚀 会議')).toBe('תזכורת: 3 👩‍🚀 会議');
  });

  it('has no controls in what the client returns; the id stays as it is', async () => {
    const email = sampleEmail(1, {
      from: `Shop${OVERRIDE} <shop@example.com>`,
      subject: `Bill ${OVERRIDE}1`,
      snippet: `Pay ${OVERRIDE}now`,
    });
    const fetch = async () => Response.json({ emails: [email], nextPageToken: null, total: 1 });
    const client = withDisplayText(createAppClient({ apiOrigin: 'https://api.example.org', fetch }));
    const { emails } = await client.listEmails({});
    expect(emails).toEqual([
      { ...email, from: 'Shop <shop@example.com>', subject: 'Bill 1', snippet: 'Pay now' },
    ]);
  });

  it('has no controls in the emails of a cleanup', async () => {
    const { id, from, subject, date, size } = sampleEmail(1, {
      from: `Shop${OVERRIDE} <shop@example.com>`,
      subject: `Bill ${OVERRIDE}1`,
    });
    const email = { id, from, subject, date, size };
    const cleaned = { ...email, from: 'Shop <shop@example.com>', subject: 'Bill 1' };
    const plan = sampleCleanup({ sample: [email] });
    const item = {
      emailId: id,
      threadId: null,
      action: 'archive',
      outcome: 'open',
      reason: null,
      recordId: plan.batchId,
    };
    const emails = {
      total: 2,
      page: 1,
      perPage: 20,
      data: [
        { ...item, email },
        { ...item, email: null },
      ],
    };
    const fetch = async (url: string | URL | Request) =>
      Response.json(String(url).endsWith('/emails') ? emails : plan);
    const client = withDisplayText(createAppClient({ apiOrigin: 'https://api.example.org', fetch }));
    const body = { action: 'archive', selection: { type: 'filter' } } as const;
    expect((await client.createCleanup({ body, idempotencyKey: 'key' })).sample).toEqual([cleaned]);
    const params = { id: plan.id };
    expect((await client.getCleanup({ params })).sample).toEqual([cleaned]);
    const { data } = await client.listCleanupEmails({ params });
    expect(data.map((listed) => listed.email)).toEqual([cleaned, null]);
  });
});
