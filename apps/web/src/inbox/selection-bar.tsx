import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArchive, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import { countEmails } from '../email/counts.ts';
import classes from './selection-bar.module.css';
import type { Triage } from './use-triage.ts';

/** What can be done with the ticked emails; floats above the end of the list. */
export const SelectionBar = ({
  count,
  senders,
  triage,
  all,
}: {
  count: number;
  senders: number;
  triage: Triage;
  /** Set where every loaded email is selected, and more match that are not loaded. */
  all?: { isSelected: boolean; count: string; select: () => void } | undefined;
}) => (
  <div className={classes.bar} role="toolbar" aria-label={t`Selected emails`}>
    <button
      type="button"
      className={classes.clear}
      onClick={triage.clear}
      aria-label={t`Clear the selection`}
    >
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={classes.count} role="status">
      <strong>{all?.isSelected ? t`All ${all.count}` : countEmails(count)}</strong>
      <span className={classes.senders}>
        {all?.isSelected
          ? t`, loaded or not`
          : ` ${plural(senders, { one: 'from # sender', other: 'from # senders' })}`}
      </span>
    </span>
    {all && !all.isSelected && (
      <Button variant="light" onClick={all.select}>
        <Trans>Select all {all.count}</Trans>
      </Button>
    )}
    <Button
      variant="subtle"
      leftSection={<IconArchive size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('archive')}
    >
      <Trans>
        Archive <kbd className={classes.key}>E</kbd>
      </Trans>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconTrash size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('delete')}
    >
      <Trans>
        Delete <kbd className={classes.key}>#</kbd>
      </Trans>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconMail size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('mark_unread')}
    >
      <Trans>
        Unread <kbd className={classes.key}>U</kbd>
      </Trans>
    </Button>
  </div>
);
