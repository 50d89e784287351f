import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconArchive, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import classes from './selection-toolbar.module.css';

/** What can be done with what is ticked; floats above the end of the list. */
export const SelectionToolbar = ({
  label,
  count,
  detail,
  onClear,
  children,
}: {
  label: string;
  count: string;
  /** Left out on small screens. */
  detail?: ReactNode;
  onClear: () => void;
  children: ReactNode;
}) => (
  <div className={classes.bar} role="toolbar" aria-label={label}>
    <button type="button" className={shapes.iconButton} onClick={onClear} aria-label={t`Clear the selection`}>
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={classes.count} role="status">
      <strong>{count}</strong>
      <span className={classes.detail}>{detail}</span>
    </span>
    {children}
  </div>
);

/** The key that does the same as the button it is in. */
export const KeyCap = ({ children }: { children: string }) => <kbd className={classes.key}>{children}</kbd>;

const ACTIONS = [
  { action: 'archive', label: msg`Archive`, keyCap: 'E', icon: IconArchive },
  { action: 'delete', label: msg`Delete`, keyCap: '#', icon: IconTrash },
  { action: 'mark_unread', label: msg`Unread`, keyCap: 'U', icon: IconMail },
] as const;

/** The buttons of what can be done with any email. */
export const EmailActionButtons = ({
  onRequest,
}: {
  onRequest: (action: (typeof ACTIONS)[number]['action']) => void;
}) =>
  ACTIONS.map(({ action, label, keyCap, icon: Icon }) => (
    <Button
      key={action}
      variant="subtle"
      leftSection={<Icon size={17} aria-hidden="true" />}
      onClick={() => onRequest(action)}
    >
      {i18n._(label)} <KeyCap>{keyCap}</KeyCap>
    </Button>
  ));
