// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import type { Email, InboxAction } from '@mailsweep/contracts';
import { IconPaperclip } from '@tabler/icons-react';
import { memo } from 'react';
import { ListRow, RowAction } from '../../controls/list/list-row.tsx';
import type { RowPlace } from '../../controls/list/row-grid.tsx';
import { CATEGORY_NAMES } from '../../email/categories.ts';
import { EMAIL_ACTIONS, toOffered, toReadChange } from '../../email/email-actions.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { formatBytes, formatMegabytes } from '../../email/sizes.ts';
import { ProtectedMark } from '../../protection/protected-mark.tsx';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import type { Triage } from '../actions/use-triage.ts';
import classes from './email-row.module.css';

interface EmailRowProps extends RowPlace {
  email: Email;
  /** How many emails of its conversation are on the list; undefined when it is the only one. */
  conversationCount: number | undefined;
  triage: Triage;
}

/** What a row says of its email; it stays as it is while keys and pointer move about. */
const EmailCells = memo(
  ({ email, conversationCount }: Pick<EmailRowProps, 'email' | 'conversationCount'>) => (
    <>
      <span role="gridcell" className={classes.sender} title={email.from}>
        {email.isRead ? (
          <span className={classes.dotSpace} />
        ) : (
          <span className={classes.dot} role="img" aria-label={t`Unread`} />
        )}
        <bdi className={`${shapes.oneLine} ${classes.senderName}`}>{parseSender(email.from).name}</bdi>
        <ProtectedMark from={email.from} />
        {conversationCount !== undefined && (
          <span
            className={classes.conversation}
            role="img"
            title={plural(conversationCount, { other: '# emails of this conversation are on the list' })}
            aria-label={plural(conversationCount, { other: '# emails of this conversation are on the list' })}
          >
            {conversationCount}
          </span>
        )}
      </span>
      <span role="gridcell" className={classes.words}>
        <bdi className={`${shapes.oneLine} ${classes.subject}`}>{toSubject(email)}</bdi>
        {email.snippet && <bdi className={`${shapes.oneLine} ${classes.snippet}`}>{email.snippet}</bdi>}
      </span>
      <span
        role="gridcell"
        className={`${shapes.oneLine} ${classes.category}`}
        data-category={email.category}
      >
        {i18n._(CATEGORY_NAMES[email.category])}
      </span>
      <span role="gridcell" className={classes.attachment}>
        {email.hasAttachment && (
          <>
            <IconPaperclip size={14} role="img" aria-label={t`Attachment`} />
            {formatMegabytes(email.attachmentSizeMb)}
          </>
        )}
      </span>
      <span role="gridcell" className={classes.size} title={t`Size of the whole email`}>
        {formatBytes(email.size)}
      </span>
      <span role="gridcell" className={classes.date}>
        <Timestamp value={email.date} style="short" />
      </span>
    </>
  ),
);

const EmailActions = ({ email, triage }: { email: Email; triage: Triage }) =>
  toOffered(toReadChange([email])).map((action) => {
    const { name, icon, keyCap } = EMAIL_ACTIONS[action];
    const label = `${i18n._(name)} (${keyCap})`;
    return (
      <RowAction key={action} label={label} icon={icon} onClick={() => triage.request(action, [email])} />
    );
  });

const toSubject = (email: Email): string => email.subject.trim() || t`(no subject)`;

/** One email of the list. */
export const EmailRow = (props: EmailRowProps) => {
  const { email, conversationCount, index, triage, ...rest } = props;
  const request = (action: InboxAction) => () => triage.request(action, [email]);
  return (
    <ListRow
      {...rest}
      id={email.id}
      rowIndex={index + 1}
      name={toSubject(email)}
      from={email.from}
      isUnread={!email.isRead}
      className={classes.row}
      actions={<EmailActions email={email} triage={triage} />}
      swipe={{
        right: { name: t`Archive`, run: request('archive') },
        left: { name: t`Delete`, run: request('delete') },
      }}
      triage={triage}
    >
      <EmailCells email={email} conversationCount={conversationCount} />
    </ListRow>
  );
};
