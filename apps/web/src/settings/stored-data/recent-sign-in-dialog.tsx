import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Dialog } from '../../controls/dialog.tsx';
import { DialogButtons } from '../../controls/dialog-buttons.tsx';
import { useSignIn } from '../../session/use-sign-in.ts';
import classes from './recent-sign-in-dialog.module.css';
import type { SensitiveAction } from './settings-search.ts';

const REASONS: Record<SensitiveAction, MessageDescriptor> = {
  export: msg`Downloading all your data needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
  erase: msg`Deleting all your data needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
  token: msg`Making an access token needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here to continue.`,
};

/** Says that an action needs a new sign-in, and leads there and back to it. */
export const RecentSignInDialog = (props: {
  action: SensitiveAction;
  isOpen: boolean;
  onClose: () => void;
}) => {
  const signIn = useSignIn(`/settings?continue=${props.action}`);
  return (
    <Dialog
      opened={props.isOpen}
      onClose={props.onClose}
      title={t`Sign in again to continue`}
      closeLabel={t`Cancel`}
    >
      <p className={classes.what}>{i18n._(REASONS[props.action])}</p>
      <DialogButtons onCancel={props.onClose}>
        <Button onClick={signIn} data-autofocus>
          <Trans>Sign in again</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
};

/** Offers the download after the new sign-in that it needed. */
export const ExportDialog = (props: {
  isOpen: boolean;
  isDownloading: boolean;
  onDownload: () => void;
  onClose: () => void;
}) => (
  <Dialog opened={props.isOpen} onClose={props.onClose} title={t`Download your data`} closeLabel={t`Cancel`}>
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
