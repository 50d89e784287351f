import { ProblemError } from '@mailsweep/client';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { beginGesture } from '../api/gesture.ts';
import {
  dropWork,
  forgetWork,
  hasKeptWork,
  isKept,
  keepUntilDone,
  keepWork,
  offerLater,
  takeWork,
  type WorkToKeep,
} from './kept-work.ts';

const DAY_MS = 24 * 60 * 60_000;
const WORK: WorkToKeep = { kind: 'archive', ids: ['email-1', 'email-2'] };

describe('work that is kept on the device', () => {
  it('is there for the next page of the same user, as the same gesture, until it is dropped', async () => {
    const gesture = beginGesture();
    await onEarlierPage(() => keepWork(signedInAs('ada'), gesture, WORK));
    expect(hasKeptWork()).toBe(true);
    const [work] = await takeWork('ada');
    expect(work).toMatchObject({ ...WORK, gestureId: gesture.id, isOffered: false });
    expect(hasKeptWork()).toBe(false);
    dropWork(gesture.id);
    expect(localStorage.length).toBe(0);
  });

  it('is left to the tab that has it in hand', async () => {
    const gesture = beginGesture();
    keepWork(signedInAs('ada'), gesture, WORK);
    expect(await takeWork('ada')).toEqual([]);
    expect(isKept(gesture.keyOf(3))).toBe(true);
    dropWork(gesture.id);
  });

  it('is forgotten when another user signs in, and at a sign-out', async () => {
    await onEarlierPage(() => keepWork(signedInAs('ada'), beginGesture(), WORK));
    expect(await takeWork('grace')).toEqual([]);
    expect(localStorage.length).toBe(0);
    keepWork(signedInAs('ada'), beginGesture(), WORK);
    forgetWork();
    expect(localStorage.length).toBe(0);
  });

  it('of another mailbox is left to a page of that one, for a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    window.history.replaceState(null, '', '/m/2/inbox');
    await onEarlierPage(() => keepWork(signedInAs('ada at work'), beginGesture(), WORK));
    window.history.replaceState(null, '', '/inbox');
    expect(await takeWork('ada')).toEqual([]);
    window.history.replaceState(null, '', '/m/2/');
    const [work] = await takeWork('ada at work');
    expect(work).toMatchObject(WORK);
    await onEarlierPage(() => keepWork(signedInAs('ada at work'), beginGesture(), WORK));
    window.history.replaceState(null, '', '/inbox');
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await takeWork('ada');
    dropWork(work?.gestureId ?? '');
    expect(localStorage.length).toBe(0);
  });

  it('is offered once when it is older than a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await onEarlierPage(() => keepWork(signedInAs('ada'), beginGesture(), WORK));
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    expect(await takeWork('ada')).toMatchObject([{ ...WORK, isOffered: true }]);
    expect(localStorage.length).toBe(0);
  });

  it('is offered when it could not be done because the session has ended', async () => {
    await onEarlierPage(() => fail(signedOut()));
    expect(await takeWork('ada')).toMatchObject([{ ...WORK, isOffered: true }]);
  });

  it('is forgotten when it failed for another reason', async () => {
    await fail(new Error('refused'));
    expect(localStorage.length).toBe(0);
  });

  it('stays when the browser ends the request because the page is left', async () => {
    await onEarlierPage(async () => {
      window.dispatchEvent(new Event('pagehide'));
      await fail(new Error('aborted'));
      window.dispatchEvent(new Event('pageshow'));
    });
    const [work] = await takeWork('ada');
    expect(work).toMatchObject({ ...WORK, isOffered: false });
    dropWork(work?.gestureId ?? '');
  });

  it('is not kept where the storage is full, and says so', () => {
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
      removeItem: () => undefined,
    });
    const gesture = beginGesture();
    keepWork(signedInAs('ada'), gesture, WORK);
    expect(isKept(gesture.keyOf(0))).toBe(false);
    dropWork(gesture.id);
    vi.unstubAllGlobals();
  });

  it('is nothing where the storage holds something else', async () => {
    localStorage.setItem('mailsweep.work.1', '{"kind":"format"}');
    localStorage.setItem('mailsweep.work.2', 'no JSON');
    expect(await takeWork('ada')).toEqual([]);
    expect(localStorage.length).toBe(0);
  });

  it('can be offered by the next version of the app', async () => {
    await onEarlierPage(() => offerLater(signedInAs('ada'), WORK));
    expect(await takeWork('ada')).toMatchObject([{ ...WORK, isOffered: true }]);
  });
});

/** Runs on a page that has ended: its storage remains, its memory is gone. */
const onEarlierPage = async (run: () => unknown): Promise<void> => {
  await run();
  const stored = { ...localStorage };
  forgetWork();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
};

const fail = (error: Error): Promise<unknown> =>
  keepUntilDone(signedInAs('ada'), beginGesture(), WORK, () => Promise.reject(error)).catch(() => undefined);

const signedInAs = (userId: string): QueryClient => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['me'], { userId });
  return queryClient;
};

const signedOut = () =>
  new ProblemError({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    code: 'unauthorized',
    detail: 'Sign in.',
    instance: '/api/v1/inbox/actions',
    requestId: 'request-1',
  });
