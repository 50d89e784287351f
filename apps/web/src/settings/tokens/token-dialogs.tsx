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
import { useRef, useState } from 'react';
import { isRecentSignInRequired } from '../../api/errors.ts';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
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
  token: PersonalToken;
  onClose: () => void;
}

export const RenameTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const [name, setName] = useState(token.name);
  const { rename } = useTokenChanges();
  return (
    <ChangeDialog
      onClose={onClose}
      title={t`Rename the access token`}
      change={rename}
      failed={t`It was not renamed.`}
      action={t`Rename`}
      isIncomplete={name.trim() === ''}
      onSubmit={() => rename.mutate({ id: token.id, name }, { onSuccess: onClose })}
    >
      <NameField value={name} onChange={setName} maxLength={MAX_TOKEN_NAME_LENGTH} />
    </ChangeDialog>
  );
};

/** Asks before a token ends: programs that use it stop. */
export const RevokeTokenDialog = ({ token, onClose }: TokenDialogProps) => {
  const { revoke } = useTokenChanges();
  const { name } = token;
  return (
    <ChangeDialog
      onClose={onClose}
      title={t`Revoke the token “${name}”?`}
      change={revoke}
      failed={t`It was not revoked.`}
      action={t`Revoke`}
      takesAway
      onSubmit={() => revoke.mutate(token, { onSuccess: onClose })}
    >
      <p className={classes.text}>
        <Trans>
          Programs that use it are refused at once. What they have started goes on; the history can undo it.
        </Trans>
      </p>
    </ChangeDialog>
  );
};

/** Creates a token and shows it once. @param props.onSignInNeeded - called if it needs a new sign-in; nothing was made */
export const CreateTokenDialog = (props: { onClose: () => void; onSignInNeeded: () => void }) => {
  const { onClose, onSignInNeeded } = props;
  const [made, setMade] = useState<CreatedToken | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={made ? t`Copy the token now` : t`New access token`}
      closeLabel={made ? t`Close` : t`Cancel`}
      // A stray click must not close it: the token is shown only once.
      closeOnClickOutside={made === null}
    >
      {made ? (
        <Secret token={made} onClose={onClose} />
      ) : (
        <CreateForm onClose={onClose} onMade={setMade} onSignInNeeded={onSignInNeeded} />
      )}
    </Dialog>
  );
};

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
      <div className={classes.field}>
        <label htmlFor="token-scope">{t`What it may do`}</label>
        <Select
          id="token-scope"
          aria-describedby="token-scope-note"
          value={scope}
          onChange={setScope}
          choices={TOKEN_SCOPES.map((value) => ({ value, label: toScopeName(value) }))}
        />
        <span id="token-scope-note" className={classes.note}>
          {describeScope(scope)}
        </span>
      </div>
      {scope !== 'read' && <AskingChoice isAsking={isAsking} onChange={setAsking} />}
      <AllMailboxesChoice isForAll={isForAll} onChange={setForAll} />
      <label className={classes.field}>
        <span>{t`Ends after`}</span>
        <Select
          value={expiresInDays}
          onChange={setDays}
          choices={TOKEN_DAYS.map((days) => ({ value: days as number, label: formatTokenDays(days) }))}
        />
      </label>
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
