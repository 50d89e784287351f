import { useEffect, useSyncExternalStore } from 'react';
import { useApi } from '../api/api-context.tsx';
import type { KnownMail } from '../api/mail-memory.ts';

/**
 * Names emails by id, as far as they are known; the others are requested.
 *
 * @param isInView - whether the user can see them: each email costs the provider's quota
 */
export const useMailNames = (
  emailIds: readonly string[],
  isInView: boolean,
): ((emailId: string) => KnownMail | undefined) => {
  const { memory } = useApi();
  useSyncExternalStore(memory.subscribe, memory.version);
  const ids = emailIds.join(' ');
  useEffect(() => {
    if (isInView && ids) memory.want(ids.split(' '));
  }, [memory, ids, isInView]);
  return memory.find;
};
