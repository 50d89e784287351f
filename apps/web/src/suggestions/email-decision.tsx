import { IconCheck, IconX } from '@tabler/icons-react';
import { parseSender } from '../email/sender.ts';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/timestamp.tsx';
import { ActionBadge } from './action-badge.tsx';
import { Confidence } from './confidence.tsx';
import classes from './email-decision.module.css';
import type { SuggestedEmail } from './suggested-email.ts';
import { ACTION_NAMES, describeReason } from './suggestion-words.ts';
import type { Review } from './use-review.ts';

/** What else speaks for the same action, or what else could be done. */
const describeOthers = ({ suggestion, others }: SuggestedEmail): string =>
  others
    .map((other) => {
      const reason = describeReason(other.classification).name.toLowerCase();
      return other.action === suggestion.action
        ? reason
        : `or ${ACTION_NAMES[other.action].toLowerCase()}: ${reason}`;
    })
    .join(' · ');

/** One email of a group: what is suggested, why, how sure, and accept and reject for this one alone. */
export const EmailDecision = (props: {
  email: SuggestedEmail;
  isChosen: boolean;
  showSender: boolean;
  review: Review;
}) => {
  const { email, review } = props;
  const subject = email.subject.trim() || '(no subject)';
  const reason = describeReason(email.suggestion.classification);
  return (
    <li className={classes.email} data-left-out={!props.isChosen || undefined}>
      <label className={shapes.tick}>
        <input
          type="checkbox"
          checked={props.isChosen}
          onChange={() => review.toggleEmail(email.id)}
          aria-label={`Include ${subject}`}
        />
      </label>
      <div className={classes.words}>
        <div className={classes.first}>
          <bdi className={classes.subject}>{subject}</bdi>
          <Timestamp value={email.date} style="short" className={classes.date} />
        </div>
        <div className={classes.second}>
          {props.showSender && <bdi className={classes.sender}>{parseSender(email.from).name}</bdi>}
          <span title={reason.why}>{reason.name}</span>
          {email.others.length > 0 && <span className={classes.others}>{describeOthers(email)}</span>}
        </div>
      </div>
      <span className={classes.badge}>
        <ActionBadge action={email.suggestion.action} />
      </span>
      <span className={classes.sure}>
        <Confidence least={email.suggestion.confidence_score} most={email.suggestion.confidence_score} />
      </span>
      <span className={classes.decisions}>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.decision}`}
          onClick={() => review.decideOne('accept', email)}
          aria-label={`Accept for ${subject}`}
          title="Accept this one"
        >
          <IconCheck size={17} />
        </button>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.decision}`}
          onClick={() => review.decideOne('reject', email)}
          aria-label={`Reject for ${subject}`}
          title="Reject this one"
        >
          <IconX size={17} />
        </button>
      </span>
    </li>
  );
};
