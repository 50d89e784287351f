import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeptEmail } from '@mailsweep/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { toGmailUrl } from '../../email/provider-link.ts';
import { formatBytes } from '../../email/sizes.ts';
import { useMe } from '../../session/me-query.ts';
import shapes from '../../shapes.module.css';
import { ActionBadge } from '../../suggestions/action-badge.tsx';
import { Confidence } from '../../suggestions/confidence.tsx';
import { toSuggestedEmails } from '../../suggestions/suggested-email.ts';
import { describeReason } from '../../suggestions/suggestion-words.ts';
import { Timestamp } from '../../time/timestamp.tsx';
import { isInInbox } from '../actions/sender-work.ts';
import type { OpenSender } from '../actions/use-open-sender.ts';
import classes from './sender-emails.module.css';

/** Unit: pixels; the same number is in sender-emails.module.css. */
const ROW_HEIGHT = 54;
const OVERSCAN_ROWS = 6;

const EmailLine = (props: { email: KeptEmail; isLeftOut: boolean; onToggle: () => void }) => {
  const { email } = props;
  const { data: me } = useMe();
  const subject = email.subject.trim() || t`(no subject)`;
  const [suggested] = toSuggestedEmails([email]);
  return (
    <div
      className={classes.email}
      data-unread={!email.isRead || undefined}
      data-left-out={props.isLeftOut || undefined}
    >
      <label className={shapes.tick}>
        <input
          type="checkbox"
          checked={!props.isLeftOut}
          onChange={props.onToggle}
          aria-label={t`Include ${subject}`}
        />
      </label>
      <span className={classes.words}>
        {me ? (
          <a
            className={`${shapes.oneLine} ${classes.subject}`}
            href={toGmailUrl(email.id, me.email)}
            target="_blank"
            rel="noreferrer"
            title={t`Read it in Gmail`}
          >
            <bdi>{subject}</bdi>
          </a>
        ) : (
          <bdi className={`${shapes.oneLine} ${classes.subject}`}>{subject}</bdi>
        )}
        <span className={classes.facts}>
          <Timestamp value={email.date} style="short" />
          <span>{formatBytes(email.size)}</span>
          {!email.isRead && (
            <span className={classes.unread}>
              <Trans>Unread</Trans>
            </span>
          )}
          {!isInInbox(email) && (
            <span>
              <Trans>Archived</Trans>
            </span>
          )}
        </span>
      </span>
      {suggested && (
        <span className={classes.suggestion}>
          <ActionBadge action={suggested.suggestion.action} />
          <span className={classes.facts}>
            <span className={classes.reason} title={describeReason(suggested.suggestion.classification).why}>
              {describeReason(suggested.suggestion.classification).name}
            </span>
            <Confidence
              least={suggested.suggestion.confidence_score}
              most={suggested.suggestion.confidence_score}
            />
          </span>
        </span>
      )}
    </div>
  );
};

/** Every email of the open sender, newest first; only those in sight exist. */
export const SenderEmails = ({ open }: { open: OpenSender }) => {
  const scroll = useRef<HTMLDivElement>(null);
  const { emails } = open;
  const virtualizer = useVirtualizer({
    count: emails.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => emails[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={scroll} className={classes.scroll} aria-label={t`Emails of this sender`} tabIndex={0}>
      <ul className={shapes.virtualList} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const email = emails[index];
          return (
            email && (
              <li
                key={email.id}
                aria-setsize={emails.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EmailLine
                  email={email}
                  isLeftOut={open.leftOut.has(email.id)}
                  onToggle={() => open.toggleEmail(email.id)}
                />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
};
