import type { RecordedAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import {
  IconArchive,
  IconArrowBackUp,
  IconCheck,
  IconChevronRight,
  IconMail,
  IconMailOpened,
  IconTag,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import shapes from '../controls/shapes.module.css';
import { parseSender } from '../email/sender.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './batch-entry.module.css';
import { BatchRecords } from './batch-records.tsx';
import { type HistoryBatch, undoableRecords } from './history-batches.ts';
import { describeBatch, describeState, SOURCE_WORDS } from './history-words.ts';
import type { BatchSelection } from './use-batch-selection.ts';
import { useEmailNames } from './use-email-names.ts';

const ICONS: Record<RecordedAction, typeof IconArchive> = {
  archive: IconArchive,
  delete: IconTrash,
  mark_unread: IconMail,
  mark_read: IconMailOpened,
  label: IconTag,
  accept: IconCheck,
  reject: IconX,
};
/** A space that keeps the line; a usual one would have no height. */
const NO_NAMES_YET = '\u00a0';
/** Senders named on the line of an entry. */
const NAMES_SHOWN = 3;

const useSenders = (batch: HistoryBatch, isInView: boolean): string => {
  const namesAsked = batch.records.slice(0, NAMES_SHOWN).map((record) => record.emailId);
  const find = useEmailNames(namesAsked, isInView);
  const names = new Set(
    batch.records.flatMap((record) => {
      const email = find(record.emailId);
      return email ? [parseSender(email.from).name] : [];
    }),
  );
  const shown = [...names].slice(0, NAMES_SHOWN).join(', ');
  return names.size > NAMES_SHOWN ? `${shown} and others` : shown;
};

/** One action of the user: what, from where, its state and when; its emails open below. */
export const BatchEntry = ({ batch, selection }: { batch: HistoryBatch; selection: BatchSelection }) => {
  const Icon = ICONS[batch.action];
  const state = describeState(batch);
  const title = describeBatch(batch);
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const senders = useSenders(batch, inViewport);
  const isOpen = selection.openKeys.has(batch.key);
  const canUndo = undoableRecords(batch).length > 0;
  return (
    <li ref={ref} className={classes.entry} data-active={batch.key === selection.activeKey || undefined}>
      <div className={classes.line}>
        <label className={shapes.tick}>
          <input
            type="checkbox"
            checked={selection.selectedKeys.has(batch.key)}
            disabled={!canUndo}
            onChange={() => selection.toggle(batch.key)}
            aria-label={`Select: ${title}`}
          />
        </label>
        <span className={classes.sign} data-action={batch.action} aria-hidden="true">
          <Icon size={18} stroke={1.7} />
        </span>
        <button
          type="button"
          className={classes.words}
          data-entry-title
          aria-expanded={isOpen}
          onClick={() => {
            selection.activate(batch.key);
            selection.toggleOpen(batch.key);
          }}
        >
          <span className={classes.title}>
            {title}
            <IconChevronRight size={15} className={classes.chevron} aria-hidden="true" />
          </span>
          <bdi className={classes.senders}>{senders || NO_NAMES_YET}</bdi>
        </button>
        <span className={classes.source}>{SOURCE_WORDS[batch.source]}</span>
        <span className={classes.state} data-tone={state.tone}>
          {state.words}
        </span>
        <Timestamp value={batch.timestamp} style="clock" className={classes.time} />
        <Button
          size="compact-sm"
          variant="default"
          className={classes.undo}
          disabled={!canUndo}
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          onClick={() => selection.undoBatch(batch)}
          aria-label={`Undo: ${title}`}
        >
          Undo
        </Button>
      </div>
      {isOpen && <BatchRecords batch={batch} selection={selection} />}
    </li>
  );
};
