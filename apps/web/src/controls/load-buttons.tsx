import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

export const RetryButton = (props: { isLoading?: boolean; onClick: () => void }) => (
  <Button size="compact-sm" variant="light" loading={props.isLoading === true} onClick={props.onClick}>
    <Trans>Try again</Trans>
  </Button>
);

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
