// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import type { Sender } from '@mailsweep/contracts';
import { IconArchive, IconSparkles, IconTrash } from '@tabler/icons-react';
import { type MouseEvent, memo, useState } from 'react';
import { RowTick } from '../controls/row-tick.tsx';
import rowClasses from '../inbox/mail-row.module.css';
import { countMails, formatCount } from '../mail/counts.ts';
import { parseSender } from '../mail/sender.ts';
import { SenderAvatar } from '../mail/sender-avatar.tsx';
import { formatBytes } from '../mail/sizes.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './sender-row.module.css';
import type { SenderWork } from './sender-work.ts';
import type { SenderTriage } from './use-sender-triage.ts';

/** A number in its column; nothing there is to be read where there is none. */
const Count = ({ value, className }: { value: number; className?: string | undefined }) => (
  <span role="gridcell" className={className} data-none={value === 0 || undefined}>
    {value === 0 ? '–' : formatCount(value)}
  </span>
);

/** What a row says of its sender; it stays as it is while keys and pointer move about. */
const SenderCells = memo(({ sender, mostMails }: { sender: Sender; mostMails: number }) => {
  const { name, address } = parseSender(sender.from);
  return (
    <>
      <span role="gridcell" className={classes.who} title={sender.from}>
        <bdi className={classes.name}>{name}</bdi>
        {address !== name && <bdi className={classes.address}>{address}</bdi>}
      </span>
      <span role="gridcell" className={classes.mails}>
        <span className={classes.track} aria-hidden="true">
          <span className={classes.share} style={{ inlineSize: `${(sender.mails / mostMails) * 100}%` }} />
        </span>
        <span className={classes.mailCount}>{formatCount(sender.mails)}</span>
        <span className={classes.unit}>{sender.mails === 1 ? 'mail' : 'mails'}</span>
      </span>
      <Count value={sender.inInbox} className={classes.inInbox} />
      <Count value={sender.unread} className={classes.unread} />
      <span role="gridcell" className={classes.size}>
        {formatBytes(sender.bytes)}
      </span>
      <span role="gridcell" className={classes.lastSeen}>
        <Timestamp value={sender.lastSeen} style="short" />
      </span>
      <span role="gridcell" className={classes.suggested}>
        {sender.suggested > 0 && (
          <span className={classes.badge} title={`${countMails(sender.suggested)} with a suggestion`}>
            <IconSparkles size={14} role="img" aria-label="Suggested:" />
            {formatCount(sender.suggested)}
          </span>
        )}
      </span>
    </>
  );
});

const RowAction = (props: { work: SenderWork; sender: Sender; triage: SenderTriage }) => {
  const label = props.work === 'archive' ? 'Archive all… (E)' : 'Delete all… (#)';
  const Icon = props.work === 'archive' ? IconArchive : IconTrash;
  return (
    <button
      type="button"
      className={rowClasses.action}
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        props.triage.request(props.work, [props.sender]);
      }}
    >
      <Icon size={17} />
    </button>
  );
};

/** One sender of the list. The row takes the focus; what it holds is reached by keys and by pointer. */
export const SenderRow = (props: {
  sender: Sender;
  index: number;
  top: number;
  mostMails: number;
  isActive: boolean;
  isTabStop: boolean;
  isSelected: boolean;
  onClick: (event: MouseEvent, id: string) => void;
  triage: SenderTriage;
}) => {
  const { sender, triage, isSelected } = props;
  // Most rows never need their buttons.
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are handled for the whole screen
    <div
      role="row"
      // The first row is that of the column names.
      aria-rowindex={props.index + 2}
      aria-selected={isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row-id={sender.id}
      data-active={props.isActive || undefined}
      data-selected={isSelected || undefined}
      className={classes.row}
      style={{ position: 'absolute', top: 0, insetInline: 0, transform: `translateY(${props.top}px)` }}
      onPointerEnter={() => setIsPointedAt(true)}
      onClick={(event) => props.onClick(event, sender.id)}
      onFocus={() => {
        if (!props.isActive) triage.activate(sender.id);
      }}
    >
      <span role="gridcell" className={classes.mark}>
        <SenderAvatar from={sender.from} />
        <RowTick
          name={parseSender(sender.from).name}
          isSelected={isSelected}
          className={classes.tick}
          onToggle={(isRange) => (isRange ? triage.selectRangeTo(sender.id) : triage.toggle(sender.id))}
        />
      </span>
      <SenderCells sender={sender} mostMails={props.mostMails} />
      <span role="gridcell" className={classes.actions}>
        {isPointedAt && (
          <>
            <RowAction work="archive" sender={sender} triage={triage} />
            <RowAction work="delete" sender={sender} triage={triage} />
          </>
        )}
      </span>
    </div>
  );
};
