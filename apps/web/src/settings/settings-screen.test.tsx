import type { Me } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApiClient } from '../api/api-client.ts';
import { ApiProvider } from '../api/api-context.tsx';
import { withMailMemory } from '../api/mail-memory.ts';
import { SettingsScreen } from './settings-screen.tsx';

afterEach(() => {
  cleanup();
  document.body.inert = false;
});

describe('the settings', () => {
  it('erase nothing before the own address is typed, then erase and leave', async () => {
    const { asked, left } = await renderSettings();
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    const erase = await screen.findByRole('button', { name: 'Delete for good' });
    const field = screen.getByLabelText(/to confirm/);

    await userEvent.type(field, 'grace@example.com{Enter}');
    expect(erase).toHaveProperty('disabled', true);
    expect(asked()).not.toContain('DELETE /api/v1/me');

    await userEvent.clear(field);
    await userEvent.type(field, ' Ada@Example.com');
    await userEvent.click(erase);
    await vi.waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?reason=erased'));
    expect(asked()).toContain('DELETE /api/v1/me {"confirm":"Ada@Example.com"}');
  });

  it('say in the dialog that nothing was deleted when the API fails', async () => {
    await renderSettings({ eraseStatus: 503 });
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    await userEvent.type(await screen.findByLabelText(/to confirm/), 'ada@example.com{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Nothing was deleted\./);
  });

  it('end every session of the person', async () => {
    const { asked, left } = await renderSettings();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
    await vi.waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?reason=signed_out_everywhere'));
    expect(asked()).toContain('POST /auth/logout-everywhere {}');
  });
});

const ME: Me = {
  userId: 'ada',
  email: 'ada@example.com',
  name: 'Ada',
  connection: 'active',
  sessionExpiresAt: '2026-01-31T09:30:00.000Z',
};

const PROBLEM = {
  type: 'about:blank',
  title: 'Service unavailable',
  status: 503,
  detail: 'Try again later.',
  instance: '/api/v1/me',
  code: 'database_unavailable',
  requestId: 'request-1',
};

/** The settings with an API behind them that answers everything and notes what it was asked. */
const renderSettings = async ({ eraseStatus = 204 } = {}) => {
  const answer = vi.fn<typeof fetch>(async (_resource, init) => {
    if (init?.method === 'GET') return Response.json(ME);
    if (init?.method === 'DELETE' && eraseStatus !== 204) {
      return Response.json(PROBLEM, { status: eraseStatus });
    }
    return new Response(null, { status: 204 });
  });
  vi.stubGlobal('fetch', answer);
  const origin = 'https://api.example.org';
  const root = createRootRoute();
  const left = vi.spyOn(window.location, 'replace').mockReturnValue();
  const settings = createRoute({ getParentRoute: () => root, path: '/settings', component: SettingsScreen });
  const router = createRouter({
    routeTree: root.addChildren([settings]),
    history: createMemoryHistory({ initialEntries: ['/settings'] }),
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <ApiProvider
          api={{ origin, ...withMailMemory(createApiClient({ apiOrigin: origin, fetch: answer })) }}
        >
          <RouterProvider router={router as never} />
        </ApiProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText('Connected');
  const asked = () =>
    answer.mock.calls.map(([resource, init]) =>
      [init?.method, new URL(String(resource)).pathname, init?.body].filter(Boolean).join(' '),
    );
  return { asked, left };
};
