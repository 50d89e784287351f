import { t } from '@lingui/core/macro';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { parseSender } from '../../email/sender/sender.ts';
import shapes from '../../shapes.module.css';
import { ActionBadge } from '../../suggestions/action-badge.tsx';
import { Confidence } from '../../suggestions/confidence.tsx';
import { type SuggestedEmail, toAcceptance } from '../../suggestions/suggested-email.ts';
import { describeReason } from '../../suggestions/suggestion-words.ts';
import { Timestamp } from '../../time/timestamp.tsx';
import type { Review } from '../decisions/use-review.ts';
import classes from './email-line.module.css';

/** One email of a group: what is suggested, why, how sure, and accept and reject for this one alone. */
export const EmailLine = (props: {
  email: SuggestedEmail;
  isChosen: boolean;
  /** Whether it is shown beside the group. */
  isOpen: boolean;
  showSender: boolean;
  review: Review;
  onOpen: () => void;
}) => {
  const { email, review } = props;
  const subjectId = useId();
  const subject = email.subject.trim() || t`(no subject)`;
  const reason = describeReason(email.suggestion.classification);
  const acceptance = toAcceptance(email.suggestion);
  return (
    <div
      className={classes.email}
      data-left-out={!props.isChosen || undefined}
      data-open={props.isOpen || undefined}
    >
      {/* Wherever the row is clicked; the other controls lie above. */}
      <button
        type="button"
        className={classes.open}
        data-row-id={email.id}
        aria-labelledby={subjectId}
        aria-expanded={props.isOpen}
        onClick={props.onOpen}
      />
      <label className={`${shapes.tick} ${classes.above}`}>
        <input
          type="checkbox"
          checked={props.isChosen}
          onChange={() => review.toggleEmail(email)}
          aria-label={t`Include ${subject}`}
        />
      </label>
      <div className={classes.words}>
        <div className={classes.first}>
          <bdi id={subjectId} className={`${shapes.oneLine} ${classes.subject}`}>
            {subject}
          </bdi>
          <Timestamp value={email.date} style="short" className={classes.date} />
        </div>
        <div className={classes.second}>
          <Confidence least={acceptance} most={acceptance} />
          {props.showSender && (
            <bdi className={`${shapes.oneLine} ${classes.sender}`}>{parseSender(email.from).name}</bdi>
          )}
          <span className={shapes.oneLine} title={reason.why}>
            {reason.name}
          </span>
        </div>
      </div>
      <ActionBadge action={email.suggestion.action} />
      <span className={`${classes.decisions} ${classes.above}`}>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.decision}`}
          onClick={() => review.decideOne('accept', email)}
          aria-label={t`Accept for ${subject}`}
          title={t`Accept this one`}
        >
          <IconCheck size={17} />
        </button>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.decision}`}
          onClick={() => review.decideOne('reject', email)}
          aria-label={t`Reject for ${subject}`}
          title={t`Reject this one`}
        >
          <IconX size={17} />
        </button>
      </span>
    </div>
  );
};
