import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PersonalToken } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { DialogButtons } from '../../controls/dialog-buttons.tsx';
import classes from './token-dialogs.module.css';
import { TokenNameField } from './token-name-field.tsx';
import { useRenameToken, useRevokeToken } from './tokens-query.ts';

interface TokenDialogProps {
  /** Null while the dialog is closed. */
  token: PersonalToken | null;
  onClose: () => void;
}

/** The token of a dialog, also while it closes. */
const useLast = (token: PersonalToken | null): PersonalToken | null => {
  const last = useRef(token);
  if (token !== null) last.current = token;
  return last.current;
};

/** Asks for another name of a token. */
export const RenameTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const last = useLast(token);
  return (
    <Dialog
      opened={token !== null}
      onClose={onClose}
      title={t`Rename the access token`}
      closeLabel={t`Cancel`}
    >
      {last && <RenameForm key={last.id} token={last} onClose={onClose} />}
    </Dialog>
  );
};

const RenameForm = ({ token, onClose }: { token: PersonalToken; onClose: () => void }) => {
  const [name, setName] = useState(token.name);
  const rename = useRenameToken();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !rename.isPending)
      rename.mutate({ id: token.id, name }, { onSuccess: onClose });
  };
  const failure = rename.error ? describeError(rename.error) : undefined;
  return (
    <form onSubmit={submit}>
      <TokenNameField value={name} onChange={setName} />
      {failure && (
        <p className={classes.failure} role="alert">
          <Trans>
            It was not renamed. {failure.title}. {failure.advice}
          </Trans>
        </p>
      )}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" disabled={name.trim() === ''} loading={rename.isPending}>
          <Trans>Rename</Trans>
        </Button>
      </DialogButtons>
    </form>
  );
};

/** Asks before a token ends: programs that use it stop. */
export const RevokeTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const last = useLast(token);
  const revoke = useRevokeToken();
  const failure = revoke.error ? describeError(revoke.error) : undefined;
  const name = last?.name ?? '';
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <Dialog
      opened={token !== null}
      onClose={close}
      title={t`Revoke the token “${name}”?`}
      closeLabel={t`Cancel`}
    >
      <p className={classes.text}>
        <Trans>
          Programs that use it are refused at once. What they have started goes on; the history can undo it.
        </Trans>
      </p>
      {failure && (
        <p className={classes.failure} role="alert">
          <Trans>
            It was not revoked. {failure.title}. {failure.advice}
          </Trans>
        </p>
      )}
      <DialogButtons onCancel={close} hasFocus>
        <Button
          color="red.8"
          loading={revoke.isPending}
          onClick={() => last && revoke.mutate(last, { onSuccess: close })}
        >
          <Trans>Revoke</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
};
