import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import { offerLater } from '../session/kept-work.ts';
import { useMe, useProviderName, useSignIn } from '../session/use-mailbox.ts';
import { type WantedAccess, wantedAccessQuery } from '../session/wanted-access.ts';

/** Asks the user to allow changes, once they want one; afterwards what they pressed is done. */
export const AllowChangesDialog = ({ work }: WantedAccess) => {
  const queryClient = useQueryClient();
  const name = useProviderName();
  const asksGoogle = useMe().data?.provider?.offersReadOnly ?? false;
  const signIn = useSignIn(undefined, { allowsChanges: true });
  const close = () => queryClient.setQueryData(wantedAccessQuery.queryKey, null);
  const allow = () => {
    if (work) offerLater(queryClient, { ...work, needsAccess: true });
    signIn();
  };
  return (
    <Dialog onClose={close} title={t`Let Mailsweep change your mailbox?`} closeLabel={t`Close`}>
      <p>
        <Trans>
          So far Mailsweep only looks. To archive, label, move to Trash or unsubscribe, it needs your
          permission.
        </Trans>
      </p>
      <p>
        {asksGoogle ? (
          <Trans>
            {name} will ask you for “Read, compose, and send emails”: no smaller permission changes labels.
            Mailsweep never sends email and never deletes for good.
          </Trans>
        ) : (
          <Trans>
            Sign in at {name} in a way that may change email. Mailsweep never sends email and never deletes
            for good.
          </Trans>
        )}
      </p>
      {work && (
        <p>
          <Trans>Then Mailsweep does what you pressed. If you decline, everything stays as it is.</Trans>
        </p>
      )}
      <DialogButtons onCancel={close} label={t`Keep looking`} hasFocus>
        <Button onClick={allow}>
          <Trans>Continue with {name}</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
};
