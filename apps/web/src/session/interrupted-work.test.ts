import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../api/api-errors.ts';
import {
  hasRememberedWork,
  rememberIfSignedOut,
  rememberWork,
  takeRememberedWork,
} from './interrupted-work.ts';

const ARCHIVE = { kind: 'archive', ids: ['email-1', 'email-2'] } as const;
const WORK = { ...ARCHIVE, ids: [...ARCHIVE.ids] };

describe('work that the end of the session interrupted', () => {
  it('is offered once, to the same user', () => {
    rememberIfSignedOut(signedInAs('ada'), signedOut(), WORK);
    expect(hasRememberedWork()).toBe(true);
    expect(takeRememberedWork('ada')).toEqual(WORK);
    expect(takeRememberedWork('ada')).toBeUndefined();
  });

  it('is forgotten when another user signs in', () => {
    rememberWork(signedInAs('ada'), WORK);
    expect(takeRememberedWork('grace')).toBeUndefined();
    expect(takeRememberedWork('ada')).toBeUndefined();
  });

  it('is not what failed for another reason', () => {
    rememberIfSignedOut(signedInAs('ada'), new Error('offline'), WORK);
    expect(hasRememberedWork()).toBe(false);
  });

  it('is nothing when the storage holds something else', () => {
    sessionStorage.setItem('mailsweep.interrupted', '{"kind":"format"}');
    expect(takeRememberedWork('ada')).toBeUndefined();
  });
});

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
