import { DEFAULT_PREFERENCES, type Watch } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../../api/api-context.tsx';
import { createAppClient } from '../../api/app-client.ts';
import { withEmailCache } from '../../api/email-cache.ts';
import { LanguageProvider } from '../../language/language-provider.tsx';
import { describeWatch, WatchSettings } from './watch-settings.tsx';

const SWITCH = 'Keep watching for new email';

describe('the settings of the watch', () => {
  it('are off, and switch it on and set how often only when the user says so', async () => {
    const { requests } = renderSettings();
    const control = await findSwitch();
    expect(control.checked).toBe(false);
    expect(await screen.findByText('Off. Nothing is read while the app is closed.')).toBeTruthy();
    expect(requests).toEqual([]);

    await userEvent.click(control);
    expect(await screen.findByText('The first check begins within seconds.')).toBeTruthy();
    await userEvent.click(screen.getByLabelText('1 hr'));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests).toEqual([{ watch: { enabled: true } }, { watch: { everyMinutes: 60 } }]);
    expect((await findSwitch()).checked).toBe(true);
  });

  it('go back when the API does not take the choice', async () => {
    const { refuse } = renderSettings();
    const control = await findSwitch();
    await waitFor(() => expect(control.disabled).toBe(false));
    refuse();
    await userEvent.click(control);
    await waitFor(() => expect(control.checked).toBe(false));
  });

  it('offer another try when they do not load', async () => {
    const { accept } = renderSettings({ isRefusing: true });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    accept();
    await userEvent.click(retry);
    expect(await findSwitch()).toBeTruthy();
  });
});

describe('the words of the watch', () => {
  it.each([
    ['active', /^Last checked 3 min\. ago\. New since .+: 41 emails, 17 with suggestions\.$/],
    ['waiting', /^The last check did not succeed\. The next one is at .+; no new email is missed\.$/],
    ['reconnect_required', /^Stopped: the connection to your mailbox must be renewed\./],
    ['off', /^Off\./],
  ] as const)('say what it is at when it is %s', (state, expected) => {
    expect(describeWatch({ ...WATCH, state }, NOW)).toMatch(expected);
  });
});

const NOW = new Date('2026-02-01T09:30:00.000Z');
const WATCH: Watch = {
  state: 'active',
  error: null,
  nextRunAt: '2026-02-01T09:42:10.000Z',
  lastRun: { at: '2026-02-01T09:27:00.000Z', newEmails: 3, suggested: 2 },
  total: { since: '2026-01-30T18:00:00.000Z', newEmails: 41, suggested: 17 },
};

const findSwitch = async (): Promise<HTMLInputElement> =>
  screen.findByRole<HTMLInputElement>('switch', { name: SWITCH });

/** The settings with an API that stores or refuses them. */
const renderSettings = ({ isRefusing = false } = {}) => {
  let preferences = DEFAULT_PREFERENCES;
  const requests: unknown[] = [];
  const respond = vi.fn<typeof fetch>(async (resource, init) => {
    if (isRefusing) return new Response(null, { status: 503 });
    if (init?.method === 'PATCH') {
      const body = JSON.parse(String(init.body));
      requests.push(body);
      preferences = { ...preferences, watch: { ...preferences.watch, ...body.watch } };
    }
    if (String(resource).endsWith('/watch')) {
      const state = preferences.watch.enabled ? 'active' : 'off';
      return Response.json({ state, error: null, nextRunAt: null, lastRun: null, total: null });
    }
    return Response.json(preferences);
  });
  const origin = 'https://api.example.org';
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <ApiProvider
            api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch: respond })) }}
          >
            <WatchSettings />
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  return {
    requests,
    refuse: () => {
      isRefusing = true;
    },
    accept: () => {
      isRefusing = false;
    },
  };
};
