import { ProblemError, UnreachableError } from '@mailsweep/client';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { takeRememberedPlace } from './remembered-place.ts';
import { createSessionWatch, fetchAsUser, watchReturns } from './session-watch.ts';

describe('the watch over the session', () => {
  it('leads to the sign-in when the session has ended, and remembers the place', () => {
    const { watch, goToSignIn } = setUp({ signedIn: true });
    watch(problem('unauthorized'));
    expect(goToSignIn).toHaveBeenCalledWith('expired');
    expect(takeRememberedPlace()).toBe('/history?source=inbox');
  });

  it('does not speak of an ended session to someone who had none', () => {
    const { watch, goToSignIn } = setUp({ signedIn: false });
    watch(problem('unauthorized'));
    expect(goToSignIn).toHaveBeenCalledWith(undefined);
  });

  it('marks the mailbox connection when it has to be renewed, without leaving the screen', () => {
    const { watch, goToSignIn, queryClient } = setUp({ signedIn: true });
    watch(problem('reauth_required'));
    expect(goToSignIn).not.toHaveBeenCalled();
    expect(queryClient.getQueryData(['me'])).toMatchObject({ connection: 'reauth_required' });
  });

  it('stays when a request needs a more recent sign-in: the session goes on', () => {
    const { watch, goToSignIn } = setUp({ signedIn: true });
    watch(problem('recent_sign_in_required'));
    expect(goToSignIn).not.toHaveBeenCalled();
  });

  it('leaves every other failure to the screen', () => {
    const { watch, goToSignIn } = setUp({ signedIn: true });
    watch(new UnreachableError(new TypeError('fetch failed')));
    expect(goToSignIn).not.toHaveBeenCalled();
  });
});

describe('a page', () => {
  it('is of one user: it names them in what acts, and starts over once responses are for another one', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
    let signedIn = 'ada';
    const send = vi.fn<typeof fetch>(async () =>
      Response.json({}, { headers: { 'mailsweep-user': signedIn } }),
    );
    vi.stubGlobal('fetch', send);
    for (const method of ['GET', 'POST', 'GET']) expect((await fetchAsUser('/', { method })).ok).toBe(true);
    const named = send.mock.calls.map(([, init]) => new Headers(init?.headers).get('mailsweep-user'));
    expect(named).toEqual([null, 'ada', null]);
    send.mockResolvedValueOnce(Response.json({}));
    expect((await fetchAsUser('/')).ok).toBe(true);

    signedIn = 'grace';
    const heard = vi.fn();
    void fetchAsUser('/', { method: 'POST' }).then(heard, heard);
    await vi.waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/'));
    expect(document.body.style.visibility).toBe('hidden');
    expect(heard).not.toHaveBeenCalled();
  });

  it('is of the mailbox in its address, of another user than the one of the sign-in', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
    const send = vi.fn<typeof fetch>(async (_url, init) => {
      const mailbox = new Headers(init?.headers).get('mailsweep-mailbox');
      return Response.json({}, { headers: { 'mailsweep-user': `user of ${mailbox}` } });
    });
    vi.stubGlobal('fetch', send);
    const visit = async (place: string): Promise<void> => {
      window.history.replaceState(null, '', place);
      vi.resetModules();
      const page = await import('./session-watch.ts');
      for (const method of ['GET', 'POST']) await page.fetchAsUser('/api', { method });
    };
    for (const place of ['/inbox', '/m/2/inbox', '/m/3', '/', '/m/2/']) await visit(place);
    expect(send.mock.calls.map(([, init]) => new Headers(init?.headers).get('mailsweep-mailbox'))).toEqual([
      null,
      null,
      '2',
      '2',
      '3',
      '3',
      null,
      null,
      '2',
      '2',
    ]);
    expect(send.mock.calls.map(([, init]) => new Headers(init?.headers).get('mailsweep-user')).at(-1)).toBe(
      'user of 2',
    );
    expect(replace).not.toHaveBeenCalled();

    send.mockResolvedValueOnce(Response.json({}, { headers: { 'mailsweep-user': 'grace' } }));
    void visit('/m/3/inbox?q=secret');
    await vi.waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/m/3/'));
  });

  it('that the browser kept is shown again once its user is known to be there, or starts over', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
    const getMe = vi.fn(async () => ({}) as never);
    const targets = [window, document].map((target) => ({
      target,
      add: vi.spyOn(target, 'addEventListener'),
    }));
    onTestFinished(() => {
      for (const { target, add } of targets)
        for (const [type, listener] of add.mock.calls) target.removeEventListener(type, listener);
    });
    watchReturns({ getMe });
    const comeBack = () => {
      window.dispatchEvent(new Event('pagehide'));
      expect(document.body.style.visibility).toBe('hidden');
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    };
    comeBack();
    await vi.waitFor(() => expect(document.body.style.visibility).toBe(''));
    expect(reload).not.toHaveBeenCalled();

    getMe.mockRejectedValueOnce(new UnreachableError(new TypeError('fetch failed')));
    comeBack();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(document.body.style.visibility).toBe('hidden');
    document.body.inert = true;
    comeBack();
    expect(reload).toHaveBeenCalledTimes(2);
    expect(getMe).toHaveBeenCalledTimes(2);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(getMe).toHaveBeenCalledTimes(3);
  });
});

const problem = (code: string) =>
  new ProblemError({ type: '', title: '', status: 401, detail: '', instance: '', code, requestId: '' });

const setUp = ({ signedIn }: { signedIn: boolean }) => {
  const queryClient = new QueryClient();
  if (signedIn) queryClient.setQueryData(['me'], { userId: 'ada', connection: 'active' });
  const goToSignIn = vi.fn();
  const watch = createSessionWatch({ queryClient, goToSignIn, currentPlace: () => '/history?source=inbox' });
  return { queryClient, goToSignIn, watch };
};
