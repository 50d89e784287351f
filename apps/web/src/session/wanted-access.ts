import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { WorkToKeep } from './kept-work.ts';

/** What the user pressed while Mailsweep may only look, if it can be kept. */
export interface WantedAccess {
  work: WorkToKeep | undefined;
}

/** What the dialog shows that asks for more access; null while nothing asks to change. */
export const wantedAccessQuery = queryOptions({
  queryKey: ['wanted-access'] as const,
  queryFn: (): WantedAccess | null => null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Opens that dialog. */
export const askForAccess = (queryClient: QueryClient, work?: WorkToKeep): void =>
  void queryClient.setQueryData(wantedAccessQuery.queryKey, (wanted) => ({ work: work ?? wanted?.work }));
