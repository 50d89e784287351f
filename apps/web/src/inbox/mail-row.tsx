// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import type { Email, InboxAction } from '@mailsweep/contracts';
import { IconArchive, IconMail, IconPaperclip, IconTrash } from '@tabler/icons-react';
import { type MouseEvent, memo, type ReactNode, useState } from 'react';
import { RowTick } from '../controls/row-tick.tsx';
import { CATEGORY_NAMES } from '../mail/categories.ts';
import { parseSender } from '../mail/sender.ts';
import { SenderAvatar } from '../mail/sender-avatar.tsx';
import { formatBytes, formatMegabytes } from '../mail/sizes.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './mail-row.module.css';
import type { Triage } from './use-triage.ts';

const RowAction = (props: {
  label: string;
  action: InboxAction;
  email: Email;
  triage: Triage;
  children: ReactNode;
}) => (
  <button
    type="button"
    className={classes.action}
    tabIndex={-1}
    aria-label={props.label}
    title={props.label}
    onClick={(event) => {
      event.stopPropagation();
      props.triage.request(props.action, [props.email]);
    }}
  >
    {props.children}
  </button>
);

/** What a row says of its mail; it stays as it is while keys and pointer move about. */
const MailCells = memo(({ email }: { email: Email }) => (
  <>
    <span role="gridcell" className={classes.sender} title={email.from}>
      {email.isRead ? (
        <span className={classes.dotSpace} />
      ) : (
        <span className={classes.dot} role="img" aria-label="Unread" />
      )}
      <bdi className={classes.senderName}>{parseSender(email.from).name}</bdi>
    </span>
    <span role="gridcell" className={classes.words}>
      <bdi className={classes.subject}>{toSubject(email)}</bdi>
      {email.snippet && <bdi className={classes.snippet}>{email.snippet}</bdi>}
    </span>
    <span role="gridcell" className={classes.category} data-category={email.category}>
      {CATEGORY_NAMES[email.category]}
    </span>
    <span role="gridcell" className={classes.attachment}>
      {email.hasAttachment && (
        <>
          <IconPaperclip size={14} role="img" aria-label="Attachment" />
          {formatMegabytes(email.attachmentSizeMb)}
        </>
      )}
    </span>
    <span role="gridcell" className={classes.size} title="Size of the whole mail">
      {formatBytes(email.size)}
    </span>
    <span role="gridcell" className={classes.date}>
      <Timestamp value={email.date} style="short" />
    </span>
  </>
));

/** The actions of one row under the pointer. */
const RowActions = ({ email, triage, isNeeded }: { email: Email; triage: Triage; isNeeded: boolean }) => (
  <span role="gridcell" className={classes.actions}>
    {isNeeded && (
      <>
        <RowAction label="Archive (E)" action="archive" email={email} triage={triage}>
          <IconArchive size={17} />
        </RowAction>
        <RowAction label="Delete (#)" action="delete" email={email} triage={triage}>
          <IconTrash size={17} />
        </RowAction>
        <RowAction label="Mark unread (U)" action="mark_unread" email={email} triage={triage}>
          <IconMail size={17} />
        </RowAction>
      </>
    )}
  </span>
);

const toSubject = (email: Email): string => email.subject.trim() || '(no subject)';

/** One mail of the list. The row takes the focus; what it holds is reached by keys and by pointer. */
export const MailRow = (props: {
  email: Email;
  index: number;
  top: number;
  isActive: boolean;
  isTabStop: boolean;
  isSelected: boolean;
  onClick: (event: MouseEvent, id: string) => void;
  triage: Triage;
}) => {
  const { email, triage, isSelected } = props;
  // Most rows never need their buttons, and a screen of rows has a hundred of them.
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are handled for the whole screen
    <div
      role="row"
      aria-rowindex={props.index + 1}
      aria-selected={isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row-id={email.id}
      data-active={props.isActive || undefined}
      data-selected={isSelected || undefined}
      data-unread={!email.isRead || undefined}
      className={classes.row}
      style={{ position: 'absolute', top: 0, insetInline: 0, transform: `translateY(${props.top}px)` }}
      onPointerEnter={() => setIsPointedAt(true)}
      onClick={(event) => props.onClick(event, email.id)}
      onFocus={() => {
        if (!props.isActive) triage.activate(email.id);
      }}
    >
      <span role="gridcell" className={classes.mark}>
        <SenderAvatar from={email.from} />
        <RowTick
          name={toSubject(email)}
          isSelected={isSelected}
          className={classes.tick}
          onToggle={(isRange) => (isRange ? triage.selectRangeTo(email.id) : triage.toggle(email.id))}
        />
      </span>
      <MailCells email={email} />
      <RowActions email={email} triage={triage} isNeeded={isPointedAt} />
    </div>
  );
};
