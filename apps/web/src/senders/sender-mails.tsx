import type { KeptEmail } from '@mailsweep/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { toGmailUrl } from '../mail/provider-link.ts';
import { formatBytes } from '../mail/sizes.ts';
import { useMe } from '../session/me-query.ts';
import { ActionBadge } from '../suggestions/action-badge.tsx';
import { toSuggestedMails } from '../suggestions/suggested-mail.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './sender-mails.module.css';
import { isInInbox } from './sender-work.ts';
import type { OpenSender } from './use-open-sender.ts';

/** Unit: pixels; the same number is in sender-mails.module.css. */
const ROW_HEIGHT = 54;
const OVERSCAN_ROWS = 6;

const MailLine = (props: { mail: KeptEmail; isLeftOut: boolean; onToggle: () => void }) => {
  const { mail } = props;
  const { data: me } = useMe();
  const subject = mail.subject.trim() || '(no subject)';
  const [suggested] = toSuggestedMails([{ emails: [mail] }]);
  return (
    <div
      className={classes.mail}
      data-unread={!mail.isRead || undefined}
      data-left-out={props.isLeftOut || undefined}
    >
      <label className={classes.tick}>
        <input
          type="checkbox"
          checked={!props.isLeftOut}
          onChange={props.onToggle}
          aria-label={`Include ${subject}`}
        />
      </label>
      <span className={classes.words}>
        {me ? (
          <a
            className={classes.subject}
            href={toGmailUrl(mail.id, me.email)}
            target="_blank"
            rel="noreferrer"
            title="Read it in Gmail"
          >
            <bdi>{subject}</bdi>
          </a>
        ) : (
          <bdi className={classes.subject}>{subject}</bdi>
        )}
        <span className={classes.facts}>
          <Timestamp value={mail.date} style="short" />
          <span>{formatBytes(mail.size)}</span>
          {!mail.isRead && <span className={classes.unread}>Unread</span>}
          {!isInInbox(mail) && <span>Archived</span>}
        </span>
      </span>
      {suggested && <ActionBadge action={suggested.suggestion.action} />}
    </div>
  );
};

/** Every email of the open sender, newest first; only those in sight exist. */
export const SenderMails = ({ open }: { open: OpenSender }) => {
  const scroll = useRef<HTMLDivElement>(null);
  const { mails } = open;
  const virtualizer = useVirtualizer({
    count: mails.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => mails[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={scroll} className={classes.scroll} aria-label="Emails of this sender" tabIndex={0}>
      <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const mail = mails[index];
          return (
            mail && (
              <li
                key={mail.id}
                aria-setsize={mails.length}
                aria-posinset={index + 1}
                style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` }}
              >
                <MailLine
                  mail={mail}
                  isLeftOut={open.leftOut.has(mail.id)}
                  onToggle={() => open.toggleMail(mail.id)}
                />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
};
