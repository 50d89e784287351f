import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ActionBatch, type BatchSender, UNKNOWN_SENDER } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderButton } from '../../email/sender/sender-button.tsx';
import { ProtectedMark } from '../../protection/protected-mark.tsx';
import shapes from '../../shapes.module.css';
import { isBeingUndone } from '../../undo/undo-batches.ts';
import type { BatchSelection } from '../undo/use-batch-selection.ts';
import classes from './batch-senders.module.css';
import { PagesEnd, usePages } from './pages.tsx';
import { SenderRecords } from './sender-records.tsx';

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
  const left = entry.emails - entry.undone;
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
          <span className={classes.undone}>
            <Trans>undone</Trans>
          </span>
        )}
      </div>
      {isOpen && <SenderRecords batch={batch} query={query} selection={selection} />}
    </li>
  );
};

/** The senders of one entry, the ones with the most emails first; the emails of each open below it. */
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
