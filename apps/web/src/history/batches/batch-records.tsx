import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { Button, Skeleton } from '@mantine/core';
import { toGmailUrl } from '../../email/provider-link.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { useMe } from '../../session/me-query.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import { isBeingUndone } from '../../undo/undo-batches.ts';
import { describeChange } from '../filters/history-words.ts';
import type { BatchSelection } from '../undo/use-batch-selection.ts';
import classes from './batch-records.module.css';
import { RECORDS_PER_PAGE, useBatchRecords } from './use-batch-records.ts';
import { useEmailNames } from './use-email-names.ts';

/** The emails of one entry, each with its own undo. */
export const BatchRecords = ({ batch, selection }: { batch: ActionBatch; selection: BatchSelection }) => {
  const { data: me } = useMe();
  const { records, hidden, isPending, error, isLoadingMore, loadMore, retry } = useBatchRecords(batch.id);
  const find = useEmailNames(
    records.map((record) => record.emailId),
    true,
  );
  return (
    <ul className={classes.records}>
      {records.map((record) => {
        const email = find(record.emailId);
        const subject = email ? email.subject.trim() || t`(no subject)` : t`Email ${record.emailId}`;
        return (
          <li key={record.id} className={classes.record}>
            <span className={classes.words}>
              {email && (
                <bdi className={`${shapes.oneLine} ${classes.sender}`}>{parseSender(email.from).name}</bdi>
              )}
              <a
                className={`${shapes.oneLine} ${classes.subject}`}
                href={toGmailUrl(record.emailId, me?.email ?? '')}
                target="_blank"
                rel="noreferrer"
                title={t`Open in Gmail`}
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
                disabled={isBeingUndone(batch)}
                onClick={() => selection.undoRecord(record.id)}
                aria-label={t`Undo for ${subject}`}
              >
                <Trans>Undo</Trans>
              </Button>
            ) : (
              <span className={classes.undone}>
                <Trans>
                  undone <Timestamp value={record.undoneAt} style="ago" />
                </Trans>
              </span>
            )}
          </li>
        );
      })}
      {isPending && (
        <li className={classes.more}>
          <Skeleton height={14} width="60%" aria-label={t`Loading its emails`} />
        </li>
      )}
      {error && (
        <li className={classes.more}>
          <Button size="compact-sm" variant="light" onClick={retry}>
            <Trans>Its emails could not be loaded: try again</Trans>
          </Button>
        </li>
      )}
      {hidden > 0 && (
        <li className={classes.more}>
          <Button size="compact-sm" variant="light" loading={isLoadingMore} onClick={loadMore}>
            <Trans>Show {Math.min(hidden, RECORDS_PER_PAGE)} more</Trans>
          </Button>
        </li>
      )}
    </ul>
  );
};
