import {
  DEFAULT_NOTIFICATIONS,
  DEFAULT_PREFERENCES,
  mergeNotifications,
  type Preferences,
  type UpdateNotificationPreferences,
} from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../../api/api-context.tsx';
import { createAppClient } from '../../api/app-client.ts';
import { withEmailCache } from '../../api/email-cache.ts';
import { LanguageProvider } from '../../language/language-provider.tsx';
import { ENDPOINT, KEY, KEYS, stubBrowser, toId } from '../../push/testing/stub-browser.ts';
import { NotificationSettings } from './notification-settings.tsx';

const ON_DEVICE = 'Notifications on this device';

describe('notifications on this device', () => {
  it('ask for permission on a click alone, and subscribe with the key of the server', async () => {
    const browser = stubBrowser();
    const { asked } = renderSettings();
    await screen.findByText(/^Off\. Your browser asks/);
    expect(browser.requestPermission).not.toHaveBeenCalled();

    await userEvent.click(screen.getByRole('switch', { name: ON_DEVICE }));
    await screen.findByText(/^On\. Choose below/);
    expect(browser.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY });
    expect(asked()).toContain(
      `POST /api/v1/push/subscriptions ${JSON.stringify({ endpoint: ENDPOINT, keys: KEYS, language: 'en' })}`,
    );

    await userEvent.click(screen.getByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(asked()).toContain('POST /api/v1/push/test {}'));
    await userEvent.click(screen.getByRole('switch', { name: ON_DEVICE }));
    await screen.findByText(/^Off\. Your browser asks/);
    expect(asked()).toContain(`DELETE /api/v1/push/subscriptions/${await toId(ENDPOINT)} {}`);
    expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull();
  });

  it('stay off when the user does not allow them', async () => {
    const browser = stubBrowser({ answer: 'denied' });
    const { asked } = renderSettings();
    await screen.findByText(/^Off\. Your browser asks/);
    await userEvent.click(screen.getByRole('switch', { name: ON_DEVICE }));
    await screen.findByText(/^You have blocked notifications/);
    expect(screen.getByRole('switch', { name: ON_DEVICE })).toHaveProperty('disabled', true);
    expect(browser.subscribe).not.toHaveBeenCalled();
    expect(asked()).not.toContainEqual(expect.stringMatching(/^POST/));
  });

  it('change the key of a browser that subscribed with another one', async () => {
    const browser = stubBrowser({ isSubscribed: true, subscribedKey: `${KEY.slice(0, -1)}Q` });
    renderSettings();
    await screen.findByText(/^Off\. Your browser asks/);
    await userEvent.click(screen.getByRole('switch', { name: ON_DEVICE }));
    await waitFor(() => expect(browser.subscribe).toHaveBeenCalledTimes(2));
    expect(browser.unsubscribe).toHaveBeenCalledOnce();
  });

  it.each([
    ['on', 'the key of this server', KEY, /^On/],
    ['off', 'a key from before', `${KEY.slice(0, -1)}Q`, /^Off\. Your browser asks/],
  ])('are %s where the browser has subscribed with %s', async (_state, _which, subscribedKey, text) => {
    stubBrowser({ isSubscribed: true, subscribedKey });
    renderSettings();
    await screen.findByText(text);
  });

  it('are off where the browser has subscribed for another user', async () => {
    stubBrowser({ isSubscribed: true });
    renderSettings({ isForeign: true });
    await screen.findByText(/^Off\. Your browser asks/);
  });

  it('are not offered where the operator has not set them up', async () => {
    stubBrowser();
    renderSettings({ key: null });
    await screen.findByText(/^Notifications are not set up on this server/);
    expect(screen.getByRole('switch', { name: ON_DEVICE })).toHaveProperty('disabled', true);
  });

  it.each([
    ['Mozilla/5.0 (X11; Linux)', /^This browser shows no notifications/],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', /^Install Mailsweep first/],
  ])('are not offered by a browser without them: %s', async (userAgent, note) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    const { asked } = renderSettings();
    await screen.findByText(note);
    expect(asked()).not.toContain('GET /api/v1/push/key');
  });
});

describe('what the user is told', () => {
  it('is off at first, and changes one by one', async () => {
    const { read, changes } = renderSettings();
    for (const name of ['Important email', 'When Mailsweep needs you', 'Quiet hours']) {
      const control = await screen.findByRole<HTMLInputElement>('switch', { name });
      await waitFor(() => expect(control.disabled).toBe(false));
      expect(control.checked).toBe(false);
      await userEvent.click(control);
    }
    await userEvent.click(screen.getByRole('radio', { name: 'No content' }));
    await waitFor(() => expect(changes()).toHaveLength(4));
    expect(read()).toMatchObject({
      alert: { push: true },
      attention: { push: true },
      digest: { push: false, every: 'off' },
      quietHours: { from: '22:00', to: '07:00' },
      content: 'none',
    });
    expect(screen.getByText(/^Switch on “Keep watching for new email” above/)).toBeTruthy();
  });

  it('comes as a digest at the hour of this device', async () => {
    const { read, changes, readZone } = renderSettings();
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'Quiet hours' })).toHaveProperty('disabled', false),
    );
    expect(screen.queryByRole('combobox', { name: 'Hour of the digest' })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Weekly' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Day of the digest' }), 'Sunday');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Hour of the digest' }), '18');
    await waitFor(() => expect(changes()).toHaveLength(3));
    expect(read().digest).toMatchObject({ every: 'weekly', push: true, weekday: 7, hour: 18 });
    expect(readZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    await userEvent.click(screen.getByRole('radio', { name: 'Off' }));
    await waitFor(() => expect(read().digest).toMatchObject({ every: 'off', push: false }));
  });

  it('goes to the workflow service as well, where the operator has connected one', async () => {
    const { read, changes } = renderSettings({ webhookAvailable: true });
    const kinds = await screen.findByRole('group', { name: 'Also send to the workflow service' });
    for (const name of ['Important email', 'Digest', 'When Mailsweep needs you']) {
      await userEvent.click(within(kinds).getByRole('switch', { name }));
    }
    await waitFor(() => expect(changes()).toHaveLength(3));
    expect(read()).toMatchObject({
      alert: { webhook: true, push: false },
      digest: { webhook: true, push: false, every: 'daily' },
      attention: { webhook: true, push: false },
    });
    // A digest to this device starts and ends independently of the workflow service's.
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Hour of the digest' }), '18');
    await userEvent.click(screen.getByRole('radio', { name: 'Weekly' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Off' }));
    await waitFor(() =>
      expect(read().digest).toMatchObject({ webhook: true, push: false, every: 'weekly', hour: 18 }),
    );
  });

  it('is not offered to go to a workflow service where there is none', async () => {
    renderSettings();
    const control = await screen.findByRole('switch', { name: 'Important email' });
    await waitFor(() => expect(control).toHaveProperty('disabled', false));
    expect(screen.queryByText('Also send to the workflow service')).toBeNull();
  });

  it('alerts from the confidence that the user chose', async () => {
    const { read } = renderSettings();
    const control = await screen.findByRole('switch', { name: 'Important email' });
    await waitFor(() => expect(control).toHaveProperty('disabled', false));
    expect(screen.queryByRole('combobox', { name: 'Least confidence' })).toBeNull();
    await userEvent.click(control);
    const confidence = await screen.findByRole('combobox', { name: 'Least confidence' });
    expect(confidence).toHaveProperty('value', '0.7');
    await userEvent.selectOptions(confidence, '90%');
    await waitFor(() => expect(read().alert).toMatchObject({ push: true, minConfidence: 0.9 }));
  });

  it('waits in the quiet hours that the user chose, which do not end where they begin', async () => {
    const { read, changes } = renderSettings({ quietHours: { from: '22:00', to: '07:00' } });
    const until = await screen.findByLabelText('Quiet until');
    fireEvent.change(until, { target: { value: '22:00' } });
    fireEvent.change(until, { target: { value: '' } });
    fireEvent.change(until, { target: { value: '06:30' } });
    await waitFor(() => expect(read().quietHours).toEqual({ from: '22:00', to: '06:30' }));
    expect(changes()).toHaveLength(1);
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
    await waitFor(() => expect(read().quietHours).toBeNull());
  });

  it('follows the time zone that the user chose, on a device in another one too', async () => {
    const { read, readZone } = renderSettings({ timeZone: 'America/New_York' });
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'Quiet hours' })).toHaveProperty('disabled', false),
    );
    expect(screen.queryByRole('combobox', { name: 'Time zone' })).toBeNull();
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
    const zone = await screen.findByRole('combobox', { name: 'Time zone' });
    await waitFor(() => expect(read().quietHours).not.toBeNull());
    expect(zone).toHaveProperty('value', 'America/New_York');
    expect(readZone()).toBe('America/New_York');
    screen.getByText(/^The digest and the quiet hours follow it\. This device is in /);
    await userEvent.selectOptions(zone, 'Asia/Tokyo');
    await waitFor(() => expect(readZone()).toBe('Asia/Tokyo'));
  });

  it('reaches no device that has notifications switched off, and says so', async () => {
    stubBrowser();
    renderSettings();
    await screen.findByText(/^Off\. Your browser asks/);
    await userEvent.click(screen.getByRole('radio', { name: 'Daily' }));
    await screen.findByText(/^Off: this device does not show what you choose below\./);
  });

  it('goes back when it is not saved, and offers another try when it does not load', async () => {
    const settings = renderSettings({ isBroken: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    settings.repair();
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    const control = await screen.findByRole<HTMLInputElement>('switch', { name: 'Important email' });
    await waitFor(() => expect(control.disabled).toBe(false));
    settings.refuse();
    await userEvent.click(control);
    await waitFor(() => expect(control.checked).toBe(false));
  });
});

/** The settings with an API that stores them. */
const renderSettings = ({
  key = KEY as string | null,
  quietHours = DEFAULT_NOTIFICATIONS.quietHours,
  timeZone = null as string | null,
  isBroken = false,
  isForeign = false,
  webhookAvailable = false,
} = {}) => {
  let preferences: Preferences = {
    ...DEFAULT_PREFERENCES,
    notifications: { ...DEFAULT_NOTIFICATIONS, quietHours },
    timeZone,
    webhookAvailable,
  };
  let isRefusing = false;
  const subscribed = new Set<string>();
  const changes: { notifications?: UpdateNotificationPreferences; timeZone?: string }[] = [];
  const respond = vi.fn<typeof fetch>(async (resource, init) => {
    const { pathname } = new URL(String(resource));
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    if (isBroken || (isRefusing && init?.method === 'PATCH')) return new Response(null, { status: 503 });
    if (pathname === '/api/v1/me') return Response.json({ userId: 'ada' });
    if (pathname === '/api/v1/push/key') return Response.json({ key });
    if (pathname === '/api/v1/push/subscriptions' && init?.method === 'POST') {
      const id = await toId(body.endpoint);
      subscribed.add(id);
      return Response.json({ id, browser: null, language: 'en', createdAt: '2026-02-01T09:30:00.000Z' });
    }
    if (pathname === '/api/v1/push/subscriptions') {
      const data = [...subscribed].map((id) => ({
        id,
        browser: null,
        language: 'en',
        createdAt: '2026-02-01T09:30:00.000Z',
      }));
      return Response.json({ total: data.length, page: 1, perPage: 100, data: isForeign ? [] : data });
    }
    if (init?.method === 'DELETE') subscribed.delete(pathname.split('/').at(-1) ?? '');
    if (init?.method === 'PATCH') {
      changes.push(body);
      preferences = {
        ...preferences,
        timeZone: body.timeZone ?? preferences.timeZone,
        notifications: mergeNotifications(preferences.notifications, body.notifications ?? {}),
      };
    }
    if (pathname === '/api/v1/me/preferences') return Response.json(preferences);
    return new Response(null, { status: 204 });
  });
  const origin = 'https://api.example.org';
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <ApiProvider
            api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch: respond })) }}
          >
            <NotificationSettings />
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  return {
    asked: () =>
      respond.mock.calls.map(([resource, init]) =>
        [init?.method, new URL(String(resource)).pathname, init?.body].filter(Boolean).join(' '),
      ),
    changes: () => changes,
    read: () => preferences.notifications,
    readZone: () => preferences.timeZone,
    refuse: () => {
      isRefusing = true;
    },
    repair: () => {
      isBroken = false;
    },
  };
};
