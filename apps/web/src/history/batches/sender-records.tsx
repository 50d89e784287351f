import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { useEmailLink } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import { isBeingUndone } from '../../undo/undo-batches.ts';
import type { RecordsOfSender } from '../../undo/undo-records.ts';
import { describeChange } from '../filters/history-words.ts';
import type { BatchSelection } from '../undo/use-batch-selection.ts';
import classes from './batch-senders.module.css';
import { PagesEnd, usePages } from './pages.tsx';

/** Names emails by id, as far as they are known; the others are requested. */
const useEmailNames = (emailIds: readonly string[]) => {
  const { memory } = useApi();
  useSyncExternalStore(memory.subscribe, memory.version);
  const ids = emailIds.join(' ');
  useEffect(() => {
    if (ids) memory.want(ids.split(' '));
  }, [memory, ids]);
  return memory.find;
};

/** The subject of an email, which leads to it where the mail provider shows it. */
const SubjectLink = ({ subject, emailId }: { subject: string; emailId: string }) => {
  const link = useEmailLink();
  const className = `${shapes.oneLine} ${classes.subject}`;
  if (!link) return <bdi className={className}>{subject}</bdi>;
  return (
    <a
      className={className}
      href={link.toUrl(emailId)}
      target="_blank"
      rel="noreferrer"
      title={t`Open in ${{ name: link.name }}`}
    >
      <bdi>{subject}</bdi>
    </a>
  );
};

/** The emails of one sender in an entry, each with its own undo. */
export const SenderRecords = (props: {
  batch: ActionBatch;
  query: RecordsOfSender;
  selection: BatchSelection;
}) => {
  const { batch, query, selection } = props;
  const { client } = useApi();
  const pages = usePages(['records', query], (page, signal) =>
    client.listActionHistory({ query: { ...query, ...page }, signal }),
  );
  const find = useEmailNames(pages.entries.map((record) => record.emailId));
  return (
    <ul className={classes.records}>
      {pages.entries.map((record) => {
        const email = find(record.emailId);
        const subject = email ? email.subject.trim() || t`(no subject)` : t`Email ${record.emailId}`;
        return (
          <li key={record.id} className={classes.record}>
            <SubjectLink subject={subject} emailId={record.emailId} />
            <span className={classes.change} title={record.details.note}>
              {describeChange(record)}
            </span>
            {email ? (
              <Timestamp value={email.date} style="short" className={classes.date} />
            ) : (
              <span className={classes.date} />
            )}
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
      <PagesEnd pages={pages} />
    </ul>
  );
};
