import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Me } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { describeError } from '../../api/describe-error.ts';
import { isRecentSignInRequired } from '../../api/error-kinds.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { DialogButtons } from '../../controls/dialog-buttons.tsx';
import { endSession } from '../../session/sign-in-page.ts';
import classes from './erase-dialog.module.css';

interface EraseDialogProps {
  me: Me;
  isOpen: boolean;
  onClose: () => void;
  /** Called when the erasure needs a new sign-in; nothing was erased. */
  onSignInNeeded: () => void;
}

/** Asks for the account's own address before everything is erased: there is no undo for this. */
export const EraseDialog = ({ me, isOpen, onClose, onSignInNeeded }: EraseDialogProps) => (
  <Dialog
    opened={isOpen}
    onClose={onClose}
    title={t`Delete everything stored about you?`}
    closeLabel={t`Cancel`}
  >
    <EraseForm me={me} onClose={onClose} onSignInNeeded={onSignInNeeded} />
  </Dialog>
);

const EraseForm = ({ me, onClose, onSignInNeeded }: Omit<EraseDialogProps, 'isOpen'>) => {
  const { client } = useApi();
  const [typed, setTyped] = useState('');
  const errorId = useId();
  // An account without an address is confirmed by its id.
  const expected = me.email || me.userId;
  const isConfirmed = typed.trim().toLowerCase() === expected.toLowerCase();
  const erase = useMutation({
    mutationFn: () => endSession('erased', () => client.eraseMe({ body: { confirm: typed.trim() } })),
    onError: (error) => {
      if (isRecentSignInRequired(error)) onSignInNeeded();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed && !erase.isPending) erase.mutate();
  };
  const failure =
    erase.error && !isRecentSignInRequired(erase.error) ? describeError(erase.error) : undefined;
  return (
    <form onSubmit={submit}>
      <p className={classes.what}>
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
          aria-invalid={failure ? true : undefined}
          aria-describedby={failure ? errorId : undefined}
          data-autofocus
        />
      </label>
      {failure && (
        <p id={errorId} className={classes.failure} role="alert">
          <Trans>
            Nothing was deleted. {failure.title}. {failure.advice}
          </Trans>
        </p>
      )}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" color="red.8" disabled={!isConfirmed} loading={erase.isPending}>
          <Trans>Delete for good</Trans>
        </Button>
      </DialogButtons>
    </form>
  );
};
