import { t } from '@lingui/core/macro';
import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useBackCloses } from './back-closes.ts';
import classes from './dialog.module.css';
import { useReturnedFocus } from './use-returned-focus.ts';

/** Keeps the last value, so that a closing dialog keeps its words. */
export const useLast = <T,>(value: T | null): T | null => {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
};

/** A dialog. Closing returns the focus; Back closes it. */
export const Dialog = ({ closeLabel = t`Cancel`, ...rest }: ModalProps & { closeLabel?: string }) => {
  useBackCloses(rest.opened, rest.onClose);
  useReturnedFocus(rest.opened);
  // Remounted for each opening: with Preact, a dialog that stays mounted may open without its accessible name.
  const { current: openings } = useRef({ count: 0, isOpen: false });
  if (rest.opened && !openings.isOpen) openings.count += 1;
  openings.isOpen = rest.opened;
  return (
    <Modal
      key={openings.count}
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
