import type { ListOutgoingCallsResponse } from '@mailsweep/contracts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { OutgoingCallsList } from './outgoing-calls.tsx';

const counts = { calls: 3, bytesSent: 2_097_152, bytesReceived: 1_048_576 };
const callsTo = (
  host: string | null,
  purpose: ListOutgoingCallsResponse['user'][number]['purpose'],
  emailFields: string[] = [],
) => ({
  host,
  purpose,
  emailFields,
  total: counts,
  last30Days: { ...counts, calls: 2 },
  lastAt: new Date().toISOString(),
});

const show = (list: Partial<ListOutgoingCallsResponse>) =>
  renderAtRoute(OutgoingCallsList, () => ({
    since: null,
    user: [],
    unsubscribeHosts: [],
    installation: [],
    ...list,
  }));

describe('the list of hosts that were called', () => {
  it('says of each why it was called, how often, and what of emails it got', async () => {
    show({
      user: [
        callsTo('gmail.googleapis.com', 'mailbox'),
        callsTo('ml:8000', 'classification', ['from', 'subject', 'newField']),
        callsTo(null, 'unsubscribe'),
      ],
      unsubscribeHosts: ['shop.example', 'news.example'],
      installation: [
        callsTo('oauth2.googleapis.com', 'sign_in'),
        callsTo('oauth2.googleapis.com', 'mailbox'),
        callsTo(null, 'assistant'),
      ],
    });
    await screen.findByText('Your mailbox: gmail.googleapis.com');
    expect(
      screen.getAllByText(/^3 calls \(2 in the last 30 days\), 2(\.0)? MB sent, 1(\.0)? MB received/),
    ).toHaveLength(3);
    expect(screen.getByText(/Sends of emails: sender, subject, newField\.$/)).toBeTruthy();
    expect(screen.getByText('Requests to unsubscribe: shop.example, news.example')).toBeTruthy();
    expect(screen.getByText(/: oauth2\.googleapis\.com, Programs that you connect\.$/)).toBeTruthy();
  });

  it('says when there is none', async () => {
    show({});
    await screen.findByText('Nobody yet');
  });
});
