import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_MAILBOX_NAME_LENGTH, type OwnMailbox } from '@mailsweep/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { isRecentSignInRequired } from '../../api/errors.ts';
import { showToast } from '../../feedback/toasts.tsx';
import { toMailboxName } from '../../mailboxes/own-mailboxes.ts';
import classes from '../section/change-dialog.module.css';
import { ChangeDialog, NameField } from '../section/change-dialog.tsx';
import { useRefreshMailboxes, useUpdateMailbox } from './use-mailboxes.ts';

interface MailboxDialogProps {
  mailbox: OwnMailbox;
  onClose: () => void;
}

/** Without a name, the mailbox goes by its address. */
export const RenameMailboxDialog = ({ mailbox, onClose }: MailboxDialogProps) => {
  const [name, setName] = useState(mailbox.name ?? '');
  const rename = useUpdateMailbox();
  return (
    <ChangeDialog
      onClose={onClose}
      title={t`Name the mailbox`}
      change={rename}
      failed={t`It was not renamed.`}
      action={t`Save`}
      onSubmit={() =>
        rename.mutate({ number: mailbox.number, name: name.trim() || null }, { onSuccess: onClose })
      }
    >
      <NameField
        value={name}
        onChange={setName}
        placeholder={mailbox.email}
        maxLength={MAX_MAILBOX_NAME_LENGTH}
      />
    </ChangeDialog>
  );
};

/** @param props.onSignInNeeded - called if it needs a new sign-in; nothing was changed */
export const RemoveMailboxDialog = (props: MailboxDialogProps & { onSignInNeeded: () => void }) => {
  const { client } = useApi();
  const refreshMailboxes = useRefreshMailboxes();
  const name = toMailboxName(props.mailbox);
  const remove = useMutation({
    mutationFn: (mailbox: OwnMailbox) => client.removeMailbox({ params: { number: String(mailbox.number) } }),
    onSuccess: (_nothing, mailbox) => {
      // The address of this page leads nowhere any more.
      if (mailbox.current) return window.location.replace('/');
      props.onClose();
      showToast({ title: t`${name} was taken out`, tone: 'done' });
      return refreshMailboxes();
    },
    onError: (error) => {
      if (isRecentSignInRequired(error)) props.onSignInNeeded();
    },
  });
  return (
    <ChangeDialog
      onClose={props.onClose}
      title={t`Take out ${name}?`}
      change={remove}
      failed={t`It was not taken out.`}
      action={t`Take out`}
      takesAway
      onSubmit={() => remove.mutate(props.mailbox)}
    >
      <p className={classes.text}>
        <Trans>
          Nothing that is stored about it changes, and its email stays as it is. You reach it by signing in
          with it, apart from your other mailboxes.
        </Trans>
      </p>
    </ChangeDialog>
  );
};
