import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import { followedCleanupsQuery, isAwaitingConfirmation, unfinishedCleanupsQuery } from './cleanup-query.ts';

const CleanupRequest = lazyPart(async () => (await import('./cleanup-request.tsx')).CleanupRequest);

export const CleanupRequests = () => {
  const { data = [] } = useQuery(unfinishedCleanupsQuery(useApi().client));
  const { data: confirmed = [] } = useQuery(followedCleanupsQuery);
  const asked = data.filter((cleanup) => isAwaitingConfirmation(cleanup) && !confirmed.includes(cleanup.id));
  return asked.length === 0 ? null : (
    <PartBoundary>
      {asked.map((cleanup) => (
        <CleanupRequest key={cleanup.id} cleanup={cleanup} />
      ))}
    </PartBoundary>
  );
};
