import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeError, isRecentSignInRequired } from '../../api/errors.ts';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
import shapes from '../../shapes.module.css';
import classes from './change-dialog.module.css';

export const NameField = (props: {
  value: string;
  onChange: (name: string) => void;
  maxLength: number;
  placeholder?: string | undefined;
}) => (
  <label className={classes.field}>
    <span>{t`Name`}</span>
    <input
      className={shapes.textField}
      type="text"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      placeholder={props.placeholder}
      maxLength={props.maxLength}
      autoComplete="off"
      data-autofocus
    />
  </label>
);

interface ChangeFormProps {
  change: { error: unknown; isPending: boolean };
  /** Says that nothing was changed; the reason follows. */
  failed: string;
  describe?: typeof describeError;
  action: string;
  isIncomplete?: boolean;
  /** Asks first: Enter changes nothing unseen. */
  takesAway?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Changes one thing. */
export const ChangeForm = (props: ChangeFormProps) => {
  const { change, describe = describeError, takesAway = false, isIncomplete = false } = props;
  const failure = change.error && !isRecentSignInRequired(change.error) ? describe(change.error) : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isIncomplete) props.onSubmit();
      }}
    >
      {props.children}
      {failure && (
        <p className={classes.failure} role="alert">
          {props.failed} {failure.title}. {failure.advice}
        </p>
      )}
      <DialogButtons onCancel={props.onClose} hasFocus={takesAway}>
        <Button
          type="submit"
          {...(takesAway && { color: 'red.8' })}
          disabled={isIncomplete}
          loading={change.isPending}
        >
          {props.action}
        </Button>
      </DialogButtons>
    </form>
  );
};

export const ChangeDialog = (props: ChangeFormProps & { title: string }) => (
  <Dialog onClose={props.onClose} title={props.title}>
    <ChangeForm {...props} />
  </Dialog>
);
