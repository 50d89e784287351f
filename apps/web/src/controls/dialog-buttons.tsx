import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * The end of a dialog: the way out, and beside it what the dialog asks about.
 *
 * @param props.hasFocus - whether the way out has the focus at first, so that Enter changes nothing unseen
 */
export const DialogButtons = (props: {
  onCancel: () => void;
  label?: string;
  hasFocus?: boolean;
  children?: ReactNode;
}) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={props.onCancel} data-autofocus={props.hasFocus}>
      {props.label ?? t`Cancel`}
    </Button>
    {props.children}
  </Group>
);
