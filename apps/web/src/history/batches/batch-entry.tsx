import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ActionBatch, RecordedAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconChevronRight, IconTag, IconX } from '@tabler/icons-react';
import { EMAIL_ACTIONS } from '../../email/email-actions.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import { describeBatch, describeState, SOURCE_WORDS } from '../filters/history-words.ts';
import { SenderNames } from '../filters/sender-names.tsx';
import { canUndo } from '../undo/history-batches.ts';
import type { BatchSelection } from '../undo/use-batch-selection.ts';
import classes from './batch-entry.module.css';
import { BatchSenders } from './batch-senders.tsx';

const OTHER_ICONS = { label: IconTag, accept: IconCheck, reject: IconX };
const toIcon = (action: RecordedAction) =>
  action === 'label' || action === 'accept' || action === 'reject'
    ? OTHER_ICONS[action]
    : EMAIL_ACTIONS[action].icon;

/** One action of the user: what, from where, its state and when; its emails open below, by sender. */
export const BatchEntry = (props: {
  batch: ActionBatch;
  search: string | undefined;
  selection: BatchSelection;
}) => {
  const { batch, search, selection } = props;
  const Icon = toIcon(batch.action);
  const state = describeState(batch);
  const title = describeBatch(batch);
  const isOpen = selection.openKeys.has(batch.id);
  const isUndoable = canUndo(batch);
  return (
    <li className={classes.entry} data-active={batch.id === selection.activeKey || undefined}>
      <div className={classes.line}>
        <label className={shapes.tick}>
          <input
            type="checkbox"
            checked={selection.selectedKeys.has(batch.id)}
            disabled={!isUndoable}
            onChange={() => selection.toggle(batch.id)}
            aria-label={t`Select: ${title}`}
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
            selection.activate(batch.id);
            selection.toggleOpen(batch.id);
          }}
        >
          <span className={classes.title}>
            {title}
            <IconChevronRight size={15} className={classes.chevron} aria-hidden="true" />
          </span>
          <span className={`${shapes.oneLine} ${classes.senders}`}>
            <SenderNames batch={batch} />
          </span>
        </button>
        <span className={classes.source}>{i18n._(SOURCE_WORDS[batch.source])}</span>
        <span className={classes.state} data-tone={state.tone}>
          {state.words}
        </span>
        <Timestamp value={batch.startedAt} style="clock" className={classes.time} />
        <Button
          size="compact-sm"
          variant="default"
          className={classes.undo}
          disabled={!isUndoable}
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          onClick={() => selection.undoBatch(batch)}
          aria-label={t`Undo: ${title}`}
        >
          <Trans>Undo</Trans>
        </Button>
      </div>
      {isOpen && <BatchSenders batch={batch} search={search} selection={selection} />}
    </li>
  );
};
