import { ProblemError, UnreachableError } from '@mailsweep/client';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { takeRememberedPlace } from './remembered-place.ts';
import { createSessionWatch } from './session-watch.ts';

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

const problem = (code: string) =>
  new ProblemError({ type: '', title: '', status: 401, detail: '', instance: '', code, requestId: '' });

const setUp = ({ signedIn }: { signedIn: boolean }) => {
  const queryClient = new QueryClient();
  if (signedIn) queryClient.setQueryData(['me'], { userId: 'ada', connection: 'active' });
  const goToSignIn = vi.fn();
  const watch = createSessionWatch({ queryClient, goToSignIn, currentPlace: () => '/history?source=inbox' });
  return { queryClient, goToSignIn, watch };
};
