import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { useProviderName, useSignIn } from './use-mailbox.ts';

/** Renews the connection of the mailbox with its provider. */
export const RenewButton = (props: ButtonProps) => {
  const name = useProviderName();
  return (
    <Button {...props} onClick={useSignIn()}>
      <Trans>Renew with {name}</Trans>
    </Button>
  );
};
