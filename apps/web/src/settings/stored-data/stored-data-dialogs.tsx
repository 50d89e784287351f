import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Me } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { isRecentSignInRequired } from '../../api/errors.ts';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
import { endSession } from '../../session/sign-in-page.ts';
import { useSignIn } from '../../session/use-mailbox.ts';
import { ChangeDialog } from '../section/change-dialog.tsx';
import type { SensitiveAction } from './settings-search.ts';
import classes from './stored-data-dialogs.module.css';

const REASONS: Record<SensitiveAction, MessageDescriptor> = {
  export: msg`Downloading all your data needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
  erase: msg`Deleting all your data needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
  mailboxes: msg`Changing which mailboxes are yours needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
  token: msg`Making an access token needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
};

/** Says that an action needs a new sign-in, and leads there and back. */
export const RecentSignInDialog = (props: { action: SensitiveAction; onClose: () => void }) => {
  const signIn = useSignIn(`/settings?continue=${props.action}`, { mailbox: null });
  return (
    <Dialog onClose={props.onClose} title={t`Sign in again to continue`}>
      <p className={classes.what}>{i18n._(REASONS[props.action])}</p>
      <DialogButtons onCancel={props.onClose}>
        <Button onClick={signIn} data-autofocus>
          <Trans>Sign in again</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
};

/** Offers the download after the sign-in. */
export const ExportDialog = (props: {
  isDownloading: boolean;
  onDownload: () => void;
  onClose: () => void;
}) => (
  <Dialog onClose={props.onClose} title={t`Download your data`}>
    <p className={classes.what}>
      <Trans>You have signed in again. Your data can be downloaded now.</Trans>
    </p>
    <DialogButtons onCancel={props.onClose}>
      <Button loading={props.isDownloading} onClick={props.onDownload} data-autofocus>
        <Trans>Download now</Trans>
      </Button>
    </DialogButtons>
  </Dialog>
);

/**
 * Asks for the account's address before erasing everything: there is no undo.
 *
 * @param props.onSignInNeeded - called if the erasure needs a new sign-in; nothing was erased
 */
export const EraseDialog = (props: { me: Me; onClose: () => void; onSignInNeeded: () => void }) => {
  const { me, onClose, onSignInNeeded } = props;
  const { client } = useApi();
  const [typed, setTyped] = useState('');
  // An account without an address is confirmed by its id.
  const expected = me.email || me.userId;
  const erase = useMutation({
    mutationFn: () => endSession('erased', () => client.eraseMe({ body: { confirm: typed.trim() } })),
    onError: (error) => {
      if (isRecentSignInRequired(error)) onSignInNeeded();
    },
  });
  return (
    <ChangeDialog
      onClose={onClose}
      title={t`Delete everything stored about you?`}
      change={erase}
      failed={t`Nothing was deleted.`}
      action={t`Delete for good`}
      isIncomplete={typed.trim().toLowerCase() !== expected.toLowerCase()}
      takesAway
      onSubmit={() => erase.mutate()}
    >
      <p className={classes.erased}>
        <Trans>
          Your history, suggestions and events are erased, what you did can no longer be undone from here, and
          Mailsweep loses its access to your mailbox. Your email itself stays as it is.
        </Trans>
      </p>
      <label className={classes.field}>
        <span>
          <Trans>
            Type <bdi className={classes.address}>{expected}</bdi> to confirm
          </Trans>
        </span>
        <input
          type="text"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={erase.isError || undefined}
          data-autofocus
        />
      </label>
    </ChangeDialog>
  );
};
