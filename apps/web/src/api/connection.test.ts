import { describe, expect, it, vi } from 'vitest';
import { fetchWhenOnline, isOffline } from './connection.ts';

const WITH_KEY = { method: 'POST', headers: { 'idempotency-key': 'key-1' } };

describe('a request', () => {
  it('is sent although the browser knows of no network: the service may be on the same device', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const send = fetchWhenOnline(async () => Response.json({ done: true }));
    expect(await (await send('/', WITH_KEY)).json()).toEqual({ done: true });
    expect(isOffline()).toBe(false);
  });

  it('waits where it was lost without a network, until another request finds one', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    let isDown = true;
    const send = fetchWhenOnline(async () => {
      if (isDown) throw new TypeError('lost');
      return Response.json({});
    });
    const waiting = send('/', WITH_KEY);
    await vi.waitFor(() => expect(isOffline()).toBe(true));
    await expect(send('/')).rejects.toThrow('lost');
    isDown = false;
    await send('/');
    expect((await waiting).status).toBe(200);
    expect(isOffline()).toBe(false);
  });
});
