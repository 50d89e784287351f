import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type CreatedToken,
  DEFAULT_TOKEN_DAYS,
  MAX_TOKEN_NAME_LENGTH,
  type PersonalToken,
  type TokenScope,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { isRecentSignInRequired } from '../../api/errors.ts';
import { Dialog, DialogButtons, useLast } from '../../controls/dialog.tsx';
import { Select } from '../../controls/select.tsx';
import shapes from '../../shapes.module.css';
import classes from '../section/change-dialog.module.css';
import { ChangeDialog, ChangeForm, NameField } from '../section/change-dialog.tsx';
import {
  AllMailboxesChoice,
  AskingChoice,
  describeScope,
  describeTokenFailure,
  formatTokenDays,
  TOKEN_DAYS,
  TOKEN_SCOPES,
  toScopeName,
} from './token-words.tsx';
import { useTokenChanges } from './tokens-query.ts';

interface TokenDialogProps {
  /** Null while the dialog is closed. */
  token: PersonalToken | null;
  onClose: () => void;
}

export const RenameTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const last = useLast(token);
  const [typed, setTyped] = useState<string | null>(null);
  const { rename } = useTokenChanges();
  const name = typed ?? last?.name ?? '';
  const close = () => {
    setTyped(null);
    onClose();
  };
  return (
    <ChangeDialog
      isOpen={token !== null}
      onClose={close}
      title={t`Rename the access token`}
      change={rename}
      failed={t`It was not renamed.`}
      action={t`Rename`}
      isIncomplete={name.trim() === ''}
      onSubmit={() => last && rename.mutate({ id: last.id, name }, { onSuccess: close })}
    >
      <NameField value={name} onChange={setTyped} maxLength={MAX_TOKEN_NAME_LENGTH} />
    </ChangeDialog>
  );
};

/** Asks before a token ends: programs that use it stop. */
export const RevokeTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const last = useLast(token);
  const { revoke } = useTokenChanges();
  const name = last?.name ?? '';
  return (
    <ChangeDialog
      isOpen={token !== null}
      onClose={onClose}
      title={t`Revoke the token “${name}”?`}
      change={revoke}
      failed={t`It was not revoked.`}
      action={t`Revoke`}
      takesAway
      onSubmit={() => last && revoke.mutate(last, { onSuccess: onClose })}
    >
      <p className={classes.text}>
        <Trans>
          Programs that use it are refused at once. What they have started goes on; the history can undo it.
        </Trans>
      </p>
    </ChangeDialog>
  );
};

interface CreateTokenDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called if it needs a new sign-in; nothing was made. */
  onSignInNeeded: () => void;
}

/** Creates a token and shows it once. */
export const CreateTokenDialog = ({ isOpen, onClose, onSignInNeeded }: CreateTokenDialogProps) => {
  const [made, setMade] = useState<CreatedToken | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={made ? t`Copy the token now` : t`New access token`}
      closeLabel={made ? t`Close` : t`Cancel`}
      // A stray click must not close it: the token is shown only once.
      closeOnClickOutside={made === null}
    >
      {made ? (
        <Secret token={made} onClose={close} />
      ) : (
        <CreateForm onClose={close} onMade={setMade} onSignInNeeded={onSignInNeeded} />
      )}
    </Dialog>
  );
};

const Field = (props: { id: string; label: string; note?: string; children: ReactNode }) => (
  <div className={classes.field}>
    <label htmlFor={props.id}>{props.label}</label>
    {props.children}
    {props.note && (
      <span id={`${props.id}-note`} className={classes.note}>
        {props.note}
      </span>
    )}
  </div>
);

const CreateForm = (props: {
  onClose: () => void;
  onMade: (token: CreatedToken) => void;
  onSignInNeeded: () => void;
}) => {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('read');
  const [expiresInDays, setDays] = useState<number>(DEFAULT_TOKEN_DAYS);
  const [isAsking, setAsking] = useState(true);
  const [isForAll, setForAll] = useState(false);
  const { create } = useTokenChanges();
  const submit = () =>
    create.mutate(
      {
        name,
        scope,
        expiresInDays,
        ...(scope !== 'read' && { requiresConfirmation: isAsking }),
        ...(isForAll && { allMailboxes: true }),
      },
      {
        onSuccess: props.onMade,
        onError: (error) => {
          if (isRecentSignInRequired(error)) props.onSignInNeeded();
        },
      },
    );
  return (
    <ChangeForm
      change={create}
      failed={t`No token was made.`}
      describe={(error) => describeTokenFailure(error, t`Revoke one first.`)}
      action={t`Make token`}
      isIncomplete={name.trim() === ''}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <NameField
        value={name}
        onChange={setName}
        placeholder={t`What it is for`}
        maxLength={MAX_TOKEN_NAME_LENGTH}
      />
      <Field id="token-scope" label={t`What it may do`} note={describeScope(scope)}>
        <Select
          id="token-scope"
          aria-describedby="token-scope-note"
          value={scope}
          onChange={setScope}
          choices={TOKEN_SCOPES.map((value) => ({ value, label: toScopeName(value) }))}
        />
      </Field>
      {scope !== 'read' && <AskingChoice isAsking={isAsking} onChange={setAsking} />}
      <AllMailboxesChoice isForAll={isForAll} onChange={setForAll} />
      <Field id="token-days" label={t`Ends after`}>
        <Select
          id="token-days"
          value={expiresInDays}
          onChange={setDays}
          choices={TOKEN_DAYS.map((days) => ({ value: days as number, label: formatTokenDays(days) }))}
        />
      </Field>
    </ChangeForm>
  );
};

const Secret = ({ token, onClose }: { token: CreatedToken; onClose: () => void }) => {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'selected'>('shown');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token.secret);
      setState('copied');
    } catch {
      // Browsers refuse without https, or if the user did.
      field.current?.select();
      setState('selected');
    }
  };
  return (
    <>
      <p className={classes.text}>
        <Trans>
          This is the only time that the token is shown. Keep it like a password: anyone who has it can use
          it.
        </Trans>
      </p>
      <div className={classes.secret}>
        <input
          ref={field}
          className={shapes.textField}
          type="text"
          readOnly
          value={token.secret}
          aria-label={t`Access token`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          leftSection={<IconCopy size={16} aria-hidden="true" />}
          onClick={() => void copy()}
          data-autofocus
        >
          <Trans>Copy</Trans>
        </Button>
      </div>
      <p className={classes.text} role="status">
        {state === 'copied' && t`Copied.`}
        {state === 'selected' &&
          t`The browser does not let us copy: the token is selected, copy it yourself.`}
      </p>
      <DialogButtons onCancel={onClose} label={t`Done`} />
    </>
  );
};
