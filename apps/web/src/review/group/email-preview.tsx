import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { isSuggestedAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { EmailFacts, EmailPane } from '../../email/email-pane.tsx';
import { formatBytes } from '../../email/sizes.ts';
import { isReady } from '../../suggestions/confirming/decisions.ts';
import { toAcceptance } from '../../suggestions/suggested-email.ts';
import {
  ActionBadge,
  Confidence,
  describeAcceptance,
  describeAdvice,
  describeReason,
  toActionName,
} from '../../suggestions/suggestion-words.tsx';
import { describeSent, formatExact } from '../../time/format-time.tsx';
import type { Review } from '../decisions/use-review.ts';
import classes from './email-preview.module.css';
import { ActionChoice, describeDecision } from './group-detail.tsx';
import type { Preview } from './use-group-emails.ts';
import { useSenderFacts } from './use-sender-facts.ts';

/** The open email: why it has a suggestion, and decisions on it alone. */
export const EmailPreview = ({ preview, review }: { preview: Preview; review: Review }) => {
  const { email } = preview;
  const { active } = review;
  const facts = useSenderFacts(active?.by === 'sender' ? active.key : undefined);
  if (!email) return null;
  const { suggestion, others } = email;
  const acceptance = toAcceptance(suggestion);
  const { name, why } = describeReason(suggestion.classification);
  const isAdvice = !isSuggestedAction(suggestion.action);
  const other = review.otherOf(email.id);
  const isTicked = !review.unticked.has(email.id);
  return (
    <EmailPane
      label={t`Email`}
      email={email}
      closeLabel={t`Close the email`}
      onClose={preview.close}
      className={classes.pane}
    >
      <div className={classes.suggestion}>
        <p className={classes.badges}>
          <ActionBadge action={suggestion.action} />
          <Confidence least={acceptance} most={acceptance} />
          <span className={classes.number}>{describeAcceptance(acceptance)}</span>
        </p>
        <p className={classes.why}>
          {name}. {facts ?? why} {isAdvice && describeAdvice(suggestion.action)}
        </p>
        {others.length > 0 && (
          <ul className={classes.others} aria-label={t`Other suggestions`}>
            {others.map((other) => (
              <li key={`${other.action} ${other.classification}`}>
                {[toActionName(other.action), describeReason(other.classification).name].join(': ')}
              </li>
            ))}
          </ul>
        )}
      </div>
      <EmailFacts
        className={classes.facts}
        facts={[
          [t`Received`, formatExact(new Date(email.date))],
          email.sentAt !== undefined && [t`Sent`, describeSent(email.sentAt)],
          [t`Size`, formatBytes(email.size)],
          [t`State`, email.isRead ? t`Read` : t`Unread`],
        ]}
      />
      <ActionChoice other={other} onChange={(next) => review.setOther(email.id, next)} />
      <div className={classes.decisions}>
        {(other || !isAdvice) && (
          <Button
            leftSection={<IconCheck size={17} aria-hidden="true" />}
            disabled={!isReady(other)}
            onClick={() => preview.decide('accept')}
          >
            {describeDecision(other, { [suggestion.action]: 1 })}
            <kbd className={classes.key}>Y</kbd>
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconX size={17} aria-hidden="true" />}
          onClick={() => preview.decide('reject')}
        >
          <Trans>
            Reject<kbd className={classes.key}>N</kbd>
          </Trans>
        </Button>
        <Button variant="subtle" onClick={preview.toggle}>
          {isTicked ? t`Leave out of the group` : t`Include in the group`}
          <kbd className={classes.key}>X</kbd>
        </Button>
      </div>
    </EmailPane>
  );
};
