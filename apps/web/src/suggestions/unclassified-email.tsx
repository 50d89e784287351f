import { Button } from '@mantine/core';
import { IconArchive, IconMoodSmile, IconTrash } from '@tabler/icons-react';
import { parseSender } from '../email/sender.ts';
import { SenderAvatar } from '../email/sender-avatar.tsx';
import { useInboxActions } from '../inbox/use-inbox-actions.ts';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './unclassified-email.module.css';
import type { Suggestions } from './use-suggestions.ts';

/** While the classification service gives no response: a gentle word, and the email to clean by hand. */
export const UnclassifiedEmail = ({ suggestions }: { suggestions: Suggestions }) => {
  const perform = useInboxActions();
  return (
    <div className={shapes.scroll}>
      <div className={classes.banner} role="status">
        <IconMoodSmile size={22} stroke={1.7} aria-hidden="true" />
        <div>
          <strong>Suggestions are taking a break.</strong>
          <span>
            The classification service does not respond right now. Here are your latest emails meanwhile.
          </span>
        </div>
        <Button variant="light" loading={suggestions.isRefreshing} onClick={suggestions.refresh}>
          Try again
        </Button>
      </div>
      <ul className={classes.list} aria-label="Latest emails">
        {suggestions.lookedAt.map((email) => {
          const subject = email.subject.trim() || '(no subject)';
          return (
            <li key={email.id} className={classes.email}>
              <SenderAvatar from={email.from} />
              <bdi className={classes.sender}>{parseSender(email.from).name}</bdi>
              <bdi className={classes.subject}>{subject}</bdi>
              <Timestamp value={email.date} style="short" className={classes.date} />
              <button
                type="button"
                className={`${shapes.iconButton} ${classes.action}`}
                aria-label={`Archive ${subject}`}
                title="Archive"
                onClick={() => perform('archive', [email.id])}
              >
                <IconArchive size={17} />
              </button>
              <button
                type="button"
                className={`${shapes.iconButton} ${classes.action}`}
                aria-label={`Delete ${subject}`}
                title="Delete"
                onClick={() => perform('delete', [email.id])}
              >
                <IconTrash size={17} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
