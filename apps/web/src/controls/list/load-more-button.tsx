import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** Loads the next page of a list; nothing when there is none. */
export const LoadMoreButton = (props: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  className: string | undefined;
  children: ReactNode;
}) => {
  const { query } = props;
  return (
    query.hasNextPage && (
      <p className={props.className}>
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {props.children}
        </Button>
      </p>
    )
  );
};
