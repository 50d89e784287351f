import { useEffect, useSyncExternalStore } from 'react';
import { useApi } from '../../api/api-context.tsx';
import type { KnownEmail } from '../../api/email-cache.ts';

/**
 * Names emails by id, as far as they are known; the others are requested.
 *
 * @param isInView - whether the user can see them: each email costs the provider's quota
 */
export const useEmailNames = (
  emailIds: readonly string[],
  isInView: boolean,
): ((emailId: string) => KnownEmail | undefined) => {
  const { memory } = useApi();
  useSyncExternalStore(memory.subscribe, memory.version);
  const ids = emailIds.join(' ');
  useEffect(() => {
    if (isInView && ids) memory.want(ids.split(' '));
  }, [memory, ids, isInView]);
  return memory.find;
};
