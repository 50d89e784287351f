// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import { plural, t } from '@lingui/core/macro';
import type { Sender } from '@mailsweep/contracts';
import { IconArchive, IconMailOff, IconSparkles, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { ListRow, RowAction } from '../../controls/list/list-row.tsx';
import type { RowPlace } from '../../controls/list/row-grid.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { formatBytes } from '../../email/sizes.ts';
import { ProtectedMark } from '../../protection/protected-mark.tsx';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import { canUnsubscribe, describeState } from '../../unsubscribe/unsubscribe-words.ts';
import type { SenderTriage, SenderWork } from '../actions/use-sender-triage.ts';
import classes from './sender-row.module.css';

/** A number in its column; nothing there is to be read where there is none. */
const Count = (props: { value: number; unit?: string; className?: string | undefined }) => {
  const { value, unit, className } = props;
  return (
    <span role="gridcell" className={className} data-unit={unit} data-none={value === 0 || undefined}>
      {value === 0 ? '–' : formatCount(value)}
    </span>
  );
};

/** What a row says of its sender; it stays as it is while keys and pointer move about. */
const SenderCells = memo(({ sender, mostEmails }: { sender: Sender; mostEmails: number }) => {
  const { name, address } = parseSender(sender.from);
  return (
    <>
      <span role="gridcell" className={classes.who} title={sender.from}>
        <span className={`${shapes.oneLine} ${classes.name}`}>
          <bdi>{name}</bdi> <ProtectedMark from={sender.from} />
        </span>
        {sender.unsubscribe?.state ? (
          <span className={`${shapes.oneLine} ${classes.address}`} data-state={sender.unsubscribe.state}>
            {describeState(sender.unsubscribe.state, sender.unsubscribe.error)}
            <span className={classes.besideState}>
              {' · '}
              <bdi>{address}</bdi>
            </span>
          </span>
        ) : (
          address !== name && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>
        )}
      </span>
      <span role="gridcell" className={classes.emails}>
        <span className={classes.track} aria-hidden="true">
          <span className={classes.share} style={{ inlineSize: `${(sender.mails / mostEmails) * 100}%` }} />
        </span>
        <span className={classes.emailCount}>{formatCount(sender.mails)}</span>
        <span className={classes.unit}>{plural(sender.mails, { one: 'email', other: 'emails' })}</span>
      </span>
      <Count value={sender.inInbox} className={classes.inInbox} />
      <Count value={sender.unread} unit={t`unread`} className={classes.unread} />
      <span role="gridcell" className={classes.size}>
        {formatBytes(sender.bytes)}
      </span>
      <span role="gridcell" className={classes.lastSeen}>
        <Timestamp value={sender.lastSeen} style="short" />
      </span>
      <span role="gridcell" className={classes.suggested}>
        {sender.suggested > 0 && (
          <span
            className={classes.badge}
            title={t`${{ emails: countEmails(sender.suggested) }} with a suggestion`}
          >
            <IconSparkles size={14} role="img" aria-label={t`Suggested:`} />
            {formatCount(sender.suggested)}
          </span>
        )}
      </span>
    </>
  );
});

const SenderActions = ({ sender, triage }: { sender: Sender; triage: SenderTriage }) => {
  const request = (work: SenderWork) => () => triage.request(work, [sender]);
  return (
    <>
      {canUnsubscribe(sender.unsubscribe) && (
        <RowAction
          label={t`Unsubscribe…`}
          icon={IconMailOff}
          onClick={() => triage.askToUnsubscribe([sender])}
        />
      )}
      <RowAction
        label={sender.protected ? t`Protected: not archived` : t`Archive all… (E)`}
        icon={IconArchive}
        isDisabled={sender.protected}
        onClick={request('archive')}
      />
      <RowAction
        label={sender.protected ? t`Protected: not deleted` : t`Delete all… (#)`}
        icon={IconTrash}
        isDisabled={sender.protected}
        onClick={request('delete')}
      />
    </>
  );
};

/** One sender of the list. */
export const SenderRow = (props: RowPlace & { sender: Sender; mostEmails: number; triage: SenderTriage }) => {
  const { sender, index, mostEmails, triage, ...rest } = props;
  return (
    <ListRow
      {...rest}
      id={sender.id}
      // The first row is that of the column names.
      rowIndex={index + 2}
      name={parseSender(sender.from).name}
      from={sender.from}
      className={classes.row}
      actions={<SenderActions sender={sender} triage={triage} />}
      triage={triage}
    >
      <SenderCells sender={sender} mostEmails={mostEmails} />
    </ListRow>
  );
};
