import { IconCheck, IconX } from '@tabler/icons-react';
import { parseSender } from '../mail/sender.ts';
import { Timestamp } from '../time/timestamp.tsx';
import { ActionBadge } from './action-badge.tsx';
import { Confidence } from './confidence.tsx';
import classes from './mail-decision.module.css';
import type { SuggestedMail } from './suggested-mail.ts';
import { ACTION_NAMES, describeReason } from './suggestion-words.ts';
import type { Review } from './use-review.ts';

/** What else speaks for the same action, or what else could be done. */
const describeOthers = ({ suggestion, others }: SuggestedMail): string =>
  others
    .map((other) => {
      const reason = describeReason(other.classification).name.toLowerCase();
      return other.action === suggestion.action
        ? reason
        : `or ${ACTION_NAMES[other.action].toLowerCase()}: ${reason}`;
    })
    .join(' · ');

/** One email of a group: what is suggested, why, how sure, and accept and reject for this one alone. */
export const MailDecision = (props: {
  mail: SuggestedMail;
  isChosen: boolean;
  showSender: boolean;
  review: Review;
}) => {
  const { mail, review } = props;
  const subject = mail.subject.trim() || '(no subject)';
  const reason = describeReason(mail.suggestion.classification);
  return (
    <li className={classes.mail} data-left-out={!props.isChosen || undefined}>
      <label className={classes.tick}>
        <input
          type="checkbox"
          checked={props.isChosen}
          onChange={() => review.toggleMail(mail.id)}
          aria-label={`Include ${subject}`}
        />
      </label>
      <div className={classes.words}>
        <div className={classes.first}>
          <bdi className={classes.subject}>{subject}</bdi>
          <Timestamp value={mail.date} style="short" className={classes.date} />
        </div>
        <div className={classes.second}>
          {props.showSender && <bdi className={classes.sender}>{parseSender(mail.from).name}</bdi>}
          <span title={reason.why}>{reason.name}</span>
          {mail.others.length > 0 && <span className={classes.others}>{describeOthers(mail)}</span>}
        </div>
      </div>
      <span className={classes.badge}>
        <ActionBadge action={mail.suggestion.action} />
      </span>
      <span className={classes.sure}>
        <Confidence least={mail.suggestion.confidence_score} most={mail.suggestion.confidence_score} />
      </span>
      <span className={classes.answers}>
        <button
          type="button"
          className={classes.answer}
          onClick={() => review.decideOne('accept', mail)}
          aria-label={`Accept for ${subject}`}
          title="Accept this one"
        >
          <IconCheck size={17} />
        </button>
        <button
          type="button"
          className={classes.answer}
          onClick={() => review.decideOne('reject', mail)}
          aria-label={`Reject for ${subject}`}
          title="Reject this one"
        >
          <IconX size={17} />
        </button>
      </span>
    </li>
  );
};
