import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconPlugConnectedX, IconRefreshAlert } from '@tabler/icons-react';
import { describeError, isMailboxUnreachable, isReauthRequired, PartLoadError } from '../api/errors.ts';
import { forgetFailedParts } from '../lazy-parts/lazy-part.ts';
import { useReload } from '../lazy-parts/part-boundary.tsx';
import { RenewButton } from '../session/renew-button.tsx';
import { useProviderName } from '../session/use-mailbox.ts';
import { EmptyState } from './empty-state.tsx';

const ReconnectState = () => {
  const name = useProviderName();
  return (
    <div role="alert">
      <EmptyState
        icon={<IconRefreshAlert />}
        title={t`Your mailbox connection has to be renewed`}
        actions={<RenewButton />}
      >
        <Trans>
          {name} no longer accepts the permission you gave, which happens after a password change or when
          access was withdrawn. Nothing was lost: sign in again and you are back here.
        </Trans>
      </EmptyState>
    </div>
  );
};

/** Says what happened and offers a retry, or to connect the mailbox again. */
export const ErrorState = (props: { error: unknown; onRetry: () => void; isScreen?: boolean }) => {
  const { error, onRetry, isScreen = false } = props;
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
          isMailboxUnreachable(error) ? (
            <Button component="a" href="/">
              <Trans>Go to your mailbox</Trans>
            </Button>
          ) : (
            <Button onClick={isOutdated ? () => reload() : onRetry}>
              {isOutdated ? t`Reload` : t`Try again`}
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

/** Replaces a failed screen; the navigation stays. */
export const ScreenError = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const retry = () => {
    forgetFailedParts();
    reset();
  };
  useWindowEvent('online', retry);
  return <ErrorState error={error} onRetry={retry} isScreen />;
};
