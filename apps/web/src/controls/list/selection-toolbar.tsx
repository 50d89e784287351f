import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSquareCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import classes from './selection-toolbar.module.css';

/** From now on a click or a tap selects a row. Brings up the toolbar. */
export const SelectButton = (props: {
  triage: { selection: { isSelecting?: boolean }; beginSelecting: () => void; clear: () => void };
}) => {
  const { selection, beginSelecting, clear } = props.triage;
  const isSelecting = selection.isSelecting === true;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-pressed={isSelecting}
      leftSection={<IconSquareCheck size={16} aria-hidden="true" />}
      onClick={isSelecting ? clear : beginSelecting}
    >
      <Trans>Select</Trans>
    </Button>
  );
};

/** Acts on the selected rows; floats above the end of the list. */
export const SelectionToolbar = (props: {
  label: string;
  count: string;
  /** Left out on small screens. */
  detail?: ReactNode;
  /** Set where not everything is ticked. */
  onSelectAll?: (() => void) | undefined;
  onClear: () => void;
  children: ReactNode;
}) => (
  <div className={classes.bar} role="toolbar" aria-label={props.label}>
    <button
      type="button"
      className={shapes.iconButton}
      onClick={props.onClear}
      aria-label={t`Clear the selection`}
    >
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={classes.count} role="status">
      <strong>{props.count}</strong>
      <span className={classes.detail}>{props.detail}</span>
    </span>
    {props.onSelectAll && (
      <Button variant="light" onClick={props.onSelectAll}>
        <Trans>Select all</Trans>
      </Button>
    )}
    {props.children}
  </div>
);

/** The key of the button around it. */
export const KeyCap = ({ children }: { children: string }) => <kbd className={classes.key}>{children}</kbd>;
