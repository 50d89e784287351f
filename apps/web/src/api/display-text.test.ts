import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../testing/sample-email.ts';
import { createApiClient } from './api-client.ts';
import { toDisplayText, withDisplayText } from './display-text.ts';

/** Right-to-left override, which would show the rest as `exe.png`. */
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
    const client = withDisplayText(createApiClient({ apiOrigin: 'https://api.example.org', fetch }));
    const { emails } = await client.listEmails({});
    expect(emails).toEqual([
      { ...email, from: 'Shop <shop@example.com>', subject: 'Bill 1', snippet: 'Pay now' },
    ]);
  });
});
