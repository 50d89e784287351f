import { useEffect, useSyncExternalStore } from 'react';
import { useApi } from '../api/api-context.tsx';
import type { KnownMail } from '../api/mail-memory.ts';

/**
 * Names mails by id, as far as they are known; the unknown ones are asked for.
 *
 * @param isInView - whether the person can see them: each mail costs the mail provider's quota
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
