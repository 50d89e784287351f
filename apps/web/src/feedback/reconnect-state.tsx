import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconRefreshAlert } from '@tabler/icons-react';
import { useSignIn } from '../session/use-sign-in.ts';
import { EmptyState } from './empty-state.tsx';

/** Shown instead of a screen while the mailbox connection has to be renewed. */
export const ReconnectState = () => {
  const signIn = useSignIn();
  return (
    <div role="alert">
      <EmptyState
        icon={<IconRefreshAlert />}
        title={t`Your mailbox connection has to be renewed`}
        actions={
          <Button onClick={signIn}>
            <Trans>Renew with Google</Trans>
          </Button>
        }
      >
        <Trans>
          Google no longer accepts the permission you gave, which happens after a password change or when
          access was withdrawn. Nothing was lost: sign in again and you are back here.
        </Trans>
      </EmptyState>
    </div>
  );
};
