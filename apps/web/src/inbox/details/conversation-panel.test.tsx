import type { Email } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../../api/api-context.tsx';
import { createAppClient } from '../../api/app-client.ts';
import { withEmailCache } from '../../api/email-cache.ts';
import { KeyboardProvider } from '../../keyboard/keyboard-context.tsx';
import { LanguageProvider } from '../../language/language-provider.tsx';
import { sampleEmail } from '../../testing/sample-email.ts';
import type { Triage } from '../actions/use-triage.ts';
import { ConversationPanel } from './conversation-panel.tsx';

const THREAD_ID = 'talk';
const email = (number: number): Email =>
  sampleEmail(number, { threadId: THREAD_ID, snippet: `Text ${number}` });
const show = () => userEvent.click(screen.getByRole('button', { name: 'Show the whole conversation' }));

describe('the conversation of an email', () => {
  it('is read only when asked for, and acted upon as it is shown', async () => {
    const { asked, request } = renderPanel([{ emails: [email(1), email(2), email(3)], otherMessages: 2 }]);
    expect(asked).not.toHaveBeenCalled();

    await show();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Conversation' }));
    const list = await screen.findByRole('list', { name: 'Emails of this conversation in the inbox' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(3);
    expect(within(list).getByText('This email').closest('li')?.textContent).toContain('Text 1');
    expect(screen.getByRole('status').textContent).toBe(
      '3 emails of this conversation are in your inbox. 2 other messages, sent or archived, stay as they are.',
    );

    await userEvent.click(screen.getByRole('button', { name: 'Archive 3 emails' }));
    expect(request).toHaveBeenCalledWith('archive', [email(1), email(2), email(3)]);
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('opens by key, and is read again after an action', async () => {
    const { asked, request } = renderPanel([
      { emails: [email(1), email(2)], otherMessages: 0 },
      { emails: [email(1)], otherMessages: 1 },
    ]);
    await userEvent.keyboard('c');
    await userEvent.click(await screen.findByRole('button', { name: 'Mark 2 emails unread' }));
    expect(request).toHaveBeenCalledWith('mark_unread', [email(1), email(2)]);

    await userEvent.keyboard('c');
    expect(
      await screen.findByText(
        'No other email of this conversation is in your inbox. 1 other message, sent or archived, stays as it is.',
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Archive/ })).toBeNull();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('says before how many more of it are on the list, and what becomes of those', () => {
    renderPanel([], { othersListed: 1 });
    expect(
      screen.getByText(
        '1 more email of this conversation is on the list. A conversation stays in the inbox as long as one of its emails is there.',
      ),
    ).toBeTruthy();
  });

  it('can be asked for again when it does not load', async () => {
    renderPanel([503, { emails: [email(1), email(2)], otherMessages: 0 }]);
    await show();
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The email service is having trouble\./);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Trash 2 emails' })).toBeTruthy();
  });

  it('is shown as deleted when the mailbox no longer has it', async () => {
    renderPanel([404]);
    await show();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This conversation is not in the mailbox any more.',
    );
  });
});

const toProblem = (status: number) =>
  Response.json(
    {
      type: 'about:blank',
      title: 'Title',
      status,
      detail: 'Detail.',
      instance: '/',
      code: status === 404 ? 'not_found' : 'mailbox_unavailable',
      requestId: 'request-1',
    },
    { status },
  );

/** The panel of the first email, with an API that responds so in turn. */
const renderPanel = (
  responses: (number | { emails: Email[]; otherMessages: number })[],
  { othersListed = 0 } = {},
) => {
  const left = [...responses];
  const asked = vi.fn<typeof fetch>(async () => {
    const next = left.shift() ?? 500;
    return typeof next === 'number' ? toProblem(next) : Response.json({ threadId: THREAD_ID, ...next });
  });
  const origin = 'https://api.example.org';
  const request = vi.fn<Triage['request']>();
  const triage: Pick<Triage, 'request'> = { request };
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <ApiProvider
            api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch: asked })) }}
          >
            <KeyboardProvider>
              <ConversationPanel
                email={email(1)}
                threadId={THREAD_ID}
                othersListed={othersListed}
                triage={triage}
              />
            </KeyboardProvider>
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  return { asked, request };
};
