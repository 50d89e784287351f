import { ProblemError } from '@mailsweep/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, goToSignIn } from './sign-in-page.ts';

const left = vi.fn();
beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation((url) => left(String(url)));
});
afterEach(() => {
  left.mockReset();
});

describe('a session that the user ends', () => {
  it('leads to the sign-in with that reason, also where another request finds it gone first', async () => {
    await endSession('erased', async () => goToSignIn('expired'));
    expect(left.mock.calls).toEqual([['/sign-in?reason=erased']]);
  });

  it('goes on where the request fails', async () => {
    const failure = new Error('unreachable');
    await expect(endSession('erased', () => Promise.reject(failure))).rejects.toBe(failure);
    expect(left).not.toHaveBeenCalled();
    goToSignIn('expired');
    expect(left.mock.calls).toEqual([['/sign-in?reason=expired']]);
  });

  it('has expired where the request itself finds it gone', async () => {
    const gone = new ProblemError({
      type: '',
      title: '',
      status: 401,
      detail: '',
      instance: '',
      code: 'unauthorized',
      requestId: '',
    });
    await expect(endSession('erased', () => Promise.reject(gone))).rejects.toBe(gone);
    expect(left.mock.calls).toEqual([['/sign-in?reason=expired']]);
  });
});
