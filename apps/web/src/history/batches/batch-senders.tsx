import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ActionBatch, type BatchSender, type Page, UNKNOWN_SENDER } from '@mailsweep/contracts';
import { Button, Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { pagedQuery, toLoading } from '../../api/paged-list.ts';
import { HISTORY_KEY } from '../../api/query-keys.ts';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderButton } from '../../email/sender/sender-button.tsx';
import { ProtectedMark } from '../../protection/protections.tsx';
import { useEmailLink } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/format-time.tsx';
import { isBeingUndone, type RecordsOfSender } from '../../undo/undo-requests.ts';
import { describeChange } from '../filters/history-words.tsx';
import type { BatchSelection } from '../undo/use-undo-history.ts';
import classes from './batch-senders.module.css';

/** Names emails by id, and requests unknown ones. */
const useEmailNames = (emailIds: readonly string[]) => {
  const { memory } = useApi();
  useSyncExternalStore(memory.subscribe, memory.version);
  const ids = emailIds.join(' ');
  useEffect(() => {
    if (ids) memory.want(ids.split(' '));
  }, [memory, ids]);
  return memory.find;
};

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

/** The emails of a sender in an entry, each with an undo. */
const SenderRecords = (props: { batch: ActionBatch; query: RecordsOfSender; selection: BatchSelection }) => {
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
            {record.details.gmailResponse.status === 'unchanged' ? (
              <span />
            ) : record.undoneAt === null ? (
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

const ENTRIES_PER_PAGE = 50;

/** A paged list of the history. @param key - cache key, after the history's */
const usePages = <Entry,>(
  key: readonly unknown[],
  read: (page: { page: number; perPage: number }, signal: AbortSignal) => Promise<Page<Entry>>,
) => {
  const query = useInfiniteQuery(pagedQuery([...HISTORY_KEY, ...key], read, { perPage: ENTRIES_PER_PAGE }));
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const loading = toLoading(query);
  return { entries, hidden: (loading.newest?.total ?? 0) - entries.length, ...loading };
};

/** The end of a paged list: more to come, or an error. */
const PagesEnd = ({ pages }: { pages: ReturnType<typeof usePages<unknown>> }) => (
  <>
    {pages.isPending && (
      <li className={classes.more}>
        <Skeleton height={14} width="60%" aria-label={t`Loading its emails`} />
      </li>
    )}
    {pages.error && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" onClick={pages.retry}>
          <Trans>Its emails could not be loaded: try again</Trans>
        </Button>
      </li>
    )}
    {pages.hidden > 0 && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" loading={pages.isLoadingMore} onClick={pages.loadMore}>
          <Trans>Show {Math.min(pages.hidden, ENTRIES_PER_PAGE)} more</Trans>
        </Button>
      </li>
    )}
  </>
);

interface BatchProps {
  batch: ActionBatch;
  /** Only email that has these words. */
  search: string | undefined;
  selection: BatchSelection;
}

const SenderEntry = (props: BatchProps & { entry: BatchSender }) => {
  const { batch, search, selection, entry } = props;
  const [isOpen, setOpen] = useState(false);
  const { name, address } = parseSender(entry.from);
  const shown = entry.sender === null ? t`Sender not known any more` : name;
  const left = entry.emails - entry.unchanged - entry.undone;
  const query = { batch: batch.id, sender: entry.sender ?? UNKNOWN_SENDER, search };
  return (
    <li>
      <div className={classes.sender}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={15} className={classes.chevron} aria-hidden="true" />
          <span className={classes.who}>
            <bdi className={shapes.oneLine}>{shown}</bdi>{' '}
            {entry.sender !== null && address !== name && (
              <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>
            )}
          </span>
        </button>
        {entry.sender !== null && (
          <>
            <ProtectedMark from={entry.from} />
            <SenderButton sender={{ senderId: entry.sender, from: entry.from }} name={name}>
              <Trans>More…</Trans>
            </SenderButton>
          </>
        )}
        <span className={classes.count}>{countEmails(entry.emails)}</span>
        {left > 0 ? (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={isBeingUndone(batch)}
            onClick={() => selection.undoSender(query, left)}
            aria-label={t`Undo for ${{ emails: countEmails(left) }} from ${{ sender: shown }}`}
          >
            <Trans>Undo</Trans>
          </Button>
        ) : (
          <span className={classes.undone}>{entry.undone > 0 ? t`undone` : t`no change needed`}</span>
        )}
      </div>
      {isOpen && <SenderRecords batch={batch} query={query} selection={selection} />}
    </li>
  );
};

/** The senders of an entry, largest first; the emails of each open below. */
export const BatchSenders = ({ batch, search, selection }: BatchProps) => {
  const { client } = useApi();
  const pages = usePages(['senders', batch.id, search], (page, signal) =>
    client.listBatchSenders({ params: { id: batch.id }, query: { ...page, search }, signal }),
  );
  const [first, ...others] = pages.entries;
  if (first && others.length === 0)
    return (
      <>
        {first.sender !== null && (
          <p className={classes.only}>
            <ProtectedMark from={first.from} />{' '}
            <SenderButton
              sender={{ senderId: first.sender, from: first.from }}
              name={parseSender(first.from).name}
            >
              {t`More for this sender…`}
            </SenderButton>
          </p>
        )}
        <SenderRecords batch={batch} query={{ batch: batch.id, search }} selection={selection} />
      </>
    );
  return (
    <ul className={classes.senders}>
      {pages.entries.map((entry) => (
        <SenderEntry
          key={entry.sender ?? UNKNOWN_SENDER}
          entry={entry}
          batch={batch}
          search={search}
          selection={selection}
        />
      ))}
      <PagesEnd pages={pages} />
    </ul>
  );
};
