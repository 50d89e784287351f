import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { isReauthRequired } from '../api/api-errors.ts';
import { describeError } from '../api/describe-error.ts';
import { EmptyState } from './empty-state.tsx';
import { ReconnectState } from './reconnect-state.tsx';

/** Says what happened and offers another try; a lapsed mailbox connection leads to its renewal instead. */
export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  if (isReauthRequired(error)) return <ReconnectState />;
  const { title, advice, requestId } = describeError(error);
  return (
    <div role="alert">
      <EmptyState
        icon={<IconPlugConnectedX />}
        title={title}
        actions={<Button onClick={onRetry}>Try again</Button>}
      >
        {advice}
        {requestId && (
          <>
            <br />
            <small>Reference {requestId}</small>
          </>
        )}
      </EmptyState>
    </div>
  );
};
