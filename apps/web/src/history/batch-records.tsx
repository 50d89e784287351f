import { Button } from '@mantine/core';
import { useState } from 'react';
import { toGmailUrl } from '../email/provider-link.ts';
import { parseSender } from '../email/sender.ts';
import { useMe } from '../session/me-query.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './batch-records.module.css';
import type { HistoryBatch } from './history-batches.ts';
import { describeChange } from './history-words.ts';
import type { BatchSelection } from './use-batch-selection.ts';
import { useEmailNames } from './use-email-names.ts';

/** Emails shown at first, and with each further click. */
const RECORDS_SHOWN = 50;

/** The emails of one entry, each with its own undo. */
export const BatchRecords = ({ batch, selection }: { batch: HistoryBatch; selection: BatchSelection }) => {
  const [shown, setShown] = useState(RECORDS_SHOWN);
  const { data: me } = useMe();
  const records = batch.records.slice(0, shown);
  const find = useEmailNames(
    records.map((record) => record.emailId),
    true,
  );
  const hidden = batch.records.length - shown;
  return (
    <ul className={classes.records}>
      {records.map((record) => {
        const email = find(record.emailId);
        const subject = email ? email.subject.trim() || '(no subject)' : `Email ${record.emailId}`;
        return (
          <li key={record.id} className={classes.record}>
            <span className={classes.words}>
              {email && <bdi className={classes.sender}>{parseSender(email.from).name}</bdi>}
              <a
                className={classes.subject}
                href={toGmailUrl(record.emailId, me?.email ?? '')}
                target="_blank"
                rel="noreferrer"
                title="Open in Gmail"
              >
                <bdi>{subject}</bdi>
              </a>
            </span>
            <span className={classes.change} title={record.details.note}>
              {describeChange(record)}
            </span>
            {record.undoneAt === null ? (
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => selection.undoRecord(record.id)}
                aria-label={`Undo for ${subject}`}
              >
                Undo
              </Button>
            ) : (
              <span className={classes.undone}>
                undone <Timestamp value={record.undoneAt} style="ago" />
              </span>
            )}
          </li>
        );
      })}
      {hidden > 0 && (
        <li className={classes.more}>
          <Button size="compact-sm" variant="light" onClick={() => setShown(shown + RECORDS_SHOWN)}>
            Show {Math.min(hidden, RECORDS_SHOWN)} more
          </Button>
        </li>
      )}
    </ul>
  );
};
