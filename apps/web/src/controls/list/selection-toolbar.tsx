import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconSquareCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EMAIL_ACTIONS, type ReadChange, toOffered } from '../../email/email-actions.ts';
import shapes from '../../shapes.module.css';
import classes from './selection-toolbar.module.css';

/** Begins to select rows: by a click or a tap on each, or all of them in the bar that comes up. */
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

/** What can be done with what is ticked; floats above the end of the list. */
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

/** The key that does the same as the button it is in. */
export const KeyCap = ({ children }: { children: string }) => <kbd className={classes.key}>{children}</kbd>;

/** The buttons of what can be done with any email. */
export const EmailActionButtons = (props: {
  readChange: ReadChange;
  isDisabled: boolean;
  onRequest: (action: InboxAction) => void;
}) =>
  toOffered(props.readChange).map((action) => {
    const { name, keyCap, icon: Icon } = EMAIL_ACTIONS[action];
    return (
      <Button
        key={action}
        variant="subtle"
        disabled={props.isDisabled}
        leftSection={<Icon size={17} aria-hidden="true" />}
        onClick={() => props.onRequest(action)}
      >
        {i18n._(name)} <KeyCap>{keyCap}</KeyCap>
      </Button>
    );
  });
