import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { withEmailCache } from '../api/email-cache.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { ShieldButton } from './shield-button.tsx';

const ID = '9f2c'.repeat(16);
const SENDER = { id: ID, from: 'Bob <bob@shop.example>' };

describe('the shield of a sender', () => {
  it('protects, says what that does, and takes it back', async () => {
    const { asked } = await renderShield(false, () =>
      Response.json({ ...SENDER, type: 'sender', createdAt: '2026-01-31T09:30:00.000Z' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Keep: protect this sender' }));
    expect(await screen.findByText('Protected: Bob')).toBeTruthy();
    expect(asked()).toEqual([`PUT /api/v1/protections/${ID}`]);

    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(asked()).toEqual([`PUT /api/v1/protections/${ID}`, `DELETE /api/v1/protections/${ID}`]),
    );
  });

  it('ends a protection', async () => {
    const { asked } = await renderShield(true, () => new Response(null, { status: 204 }));
    await userEvent.click(screen.getByRole('button', { name: 'Protected: end the protection' }));
    expect(await screen.findByText('No longer protected: Bob')).toBeTruthy();
    expect(asked()).toEqual([`DELETE /api/v1/protections/${ID}`]);
  });

  it('says so when nothing was changed', async () => {
    await renderShield(false, () => Response.error());
    await userEvent.click(screen.getByRole('button', { name: 'Keep: protect this sender' }));
    expect(await screen.findByText(/^Nothing was changed:/)).toBeTruthy();
  });
});

const renderShield = async (isProtected: boolean, respond: () => Response) => {
  const send = vi.fn<typeof fetch>(async (_resource, init) => {
    if (init?.method === 'GET') return Response.json({ total: 0, page: 1, perPage: 100, data: [] });
    return init?.method === 'DELETE' ? new Response(null, { status: 204 }) : respond();
  });
  const origin = 'https://api.example.org';
  await renderInApp(
    <ApiProvider api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch: send })) }}>
      <Notifications />
      <ShieldButton sender={SENDER} isProtected={isProtected} />
    </ApiProvider>,
  );
  const asked = () =>
    send.mock.calls
      .map(([resource, init]) => `${init?.method} ${new URL(String(resource)).pathname}`)
      .filter((request) => !request.startsWith('GET'));
  return { asked };
};
