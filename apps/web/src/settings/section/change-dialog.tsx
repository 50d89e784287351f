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

/**
 * Changes one thing, and forgets a failure when it closes.
 *
 * @param props.failed - says that nothing was changed; the reason follows
 * @param props.takesAway - asks first: Enter changes nothing unseen
 */
export const ChangeDialog = (props: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  change: { error: unknown; isPending: boolean; reset: () => void };
  failed: string;
  action: string;
  isIncomplete?: boolean;
  takesAway?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) => {
  const { change, takesAway = false, isIncomplete = false } = props;
  const failure =
    change.error && !isRecentSignInRequired(change.error) ? describeError(change.error) : undefined;
  const close = () => {
    change.reset();
    props.onClose();
  };
  return (
    <Dialog opened={props.isOpen} onClose={close} title={props.title}>
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
        <DialogButtons onCancel={close} hasFocus={takesAway}>
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
    </Dialog>
  );
};
