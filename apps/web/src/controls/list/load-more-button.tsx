import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** Loads the next page of a list; nothing when there is none. */
export const LoadMoreButton = ({
  query,
  className,
  children,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  className: string | undefined;
  children: ReactNode;
}) =>
  query.hasNextPage && (
    <p className={className}>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </p>
  );
