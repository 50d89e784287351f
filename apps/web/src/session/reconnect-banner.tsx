import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconRefreshAlert } from '@tabler/icons-react';
import shapes from '../shapes.module.css';
import { useMe } from './me-query.ts';
import classes from './reconnect-banner.module.css';
import { useSignIn } from './use-sign-in.ts';

/** A strip below every screen for as long as the mailbox connection has to be renewed. */
export const ReconnectBanner = () => {
  const { data: me } = useMe();
  const signIn = useSignIn();
  if (me?.connection !== 'reauth_required') return null;
  return (
    <div className={shapes.banner} role="status">
      <IconRefreshAlert size={18} aria-hidden="true" />
      <span className={classes.words}>
        <Trans>Google wants you to renew the connection to your mailbox.</Trans>
      </span>
      <Button size="compact-sm" onClick={signIn}>
        <Trans>Renew</Trans>
      </Button>
    </div>
  );
};
