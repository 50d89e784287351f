import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { isReauthRequired, PartLoadError } from '../api/api-errors.ts';
import { describeError } from '../api/describe-error.ts';
import { useReload } from '../parts/use-reload.ts';
import { EmptyState } from './empty-state.tsx';
import { ReconnectState } from './reconnect-state.tsx';

/** Says what happened and offers another try; a lapsed mailbox connection leads to its renewal instead. */
export const ErrorState = ({
  error,
  onRetry,
  isScreen = false,
}: {
  error: unknown;
  onRetry: () => void;
  isScreen?: boolean;
}) => {
  const reload = useReload();
  const isOutdated = error instanceof PartLoadError && error.isOutdated;
  if (isReauthRequired(error)) return <ReconnectState />;
  const { title, advice, requestId } = describeError(error);
  return (
    <div role="alert">
      <EmptyState
        icon={<IconPlugConnectedX />}
        title={title}
        isScreen={isScreen}
        actions={
          isOutdated ? (
            <Button onClick={() => reload()}>
              <Trans>Reload</Trans>
            </Button>
          ) : (
            <Button onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {advice}
        {requestId && (
          <>
            <br />
            <small>
              <Trans>Reference {requestId}</Trans>
            </small>
          </>
        )}
      </EmptyState>
    </div>
  );
};
