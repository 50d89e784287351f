import { t } from '@lingui/core/macro';
import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBackCloses } from './back-closes.ts';
import classes from './dialog.module.css';
import { useReturnedFocus } from './use-returned-focus.ts';

type DialogProps = Omit<ModalProps, 'opened'> & { closeLabel?: string };

/**
 * A dialog, open for as long as it is drawn: with Preact, one that stays mounted may open without its accessible name.
 * Closing returns the focus; Back closes it.
 */
export const Dialog = ({ closeLabel = t`Cancel`, ...rest }: DialogProps) => {
  useBackCloses(true, rest.onClose);
  useReturnedFocus(true);
  return (
    <Modal
      opened
      centered
      {...rest}
      // The library's own misses the first opening of a lazy dialog.
      returnFocus={false}
      // Dialogs may stack, and a page has one banner.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': closeLabel }}
    />
  );
};

/**
 * Cancel, and beside it the dialog's actions.
 *
 * @param props.hasFocus - focuses Cancel first, so that Enter changes nothing unseen
 */
export const DialogButtons = (props: {
  onCancel: () => void;
  label?: string;
  hasFocus?: boolean;
  children?: ReactNode;
}) => (
  <Group justify="flex-end" className={classes.buttons}>
    <Button variant="default" onClick={props.onCancel} data-autofocus={props.hasFocus}>
      {props.label ?? t`Cancel`}
    </Button>
    {props.children}
  </Group>
);
