import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import { EmailDecision } from './email-decision.tsx';
import classes from './group-detail.module.css';
import { PlanSummary } from './plan-summary.tsx';
import { type SuggestionGroup, toPlan } from './suggestion-groups.ts';
import type { Review } from './use-review.ts';

/** One group: what accepting it will do, the two responses, and its emails one by one. */
export const GroupDetail = (props: { group: SuggestionGroup; review: Review; onBack: () => void }) => {
  const { group, review } = props;
  const chosen = review.chosen.length;
  const isAll = chosen === group.emails.length;
  return (
    <section className={classes.detail} aria-label={`Suggestions: ${group.title}`}>
      <button type="button" className={classes.back} onClick={props.onBack}>
        <IconArrowLeft size={18} aria-hidden="true" /> All groups
      </button>
      <header className={classes.head}>
        <h2 className={classes.title}>
          <bdi>{group.title}</bdi>
        </h2>
        <bdi className={classes.note}>{group.note}</bdi>
      </header>
      <div className={classes.plan}>
        <h3 className={classes.planTitle}>
          If you accept{' '}
          {isAll ? countEmails(chosen) : `${formatCount(chosen)} of ${countEmails(group.emails.length)}`}
        </h3>
        <PlanSummary plan={toPlan(review.chosen)} />
        <div className={classes.decisions}>
          <Button
            leftSection={<IconCheck size={17} aria-hidden="true" />}
            disabled={chosen === 0}
            onClick={review.acceptChosen}
          >
            Accept {formatCount(chosen)}
            <kbd className={classes.key}>Y</kbd>
          </Button>
          <Button
            variant="default"
            leftSection={<IconX size={17} aria-hidden="true" />}
            disabled={chosen === 0}
            onClick={review.rejectChosen}
          >
            Reject {formatCount(chosen)}
            <kbd className={classes.key}>N</kbd>
          </Button>
        </div>
      </div>
      <ul className={classes.emails} aria-label="Emails of this group">
        {group.emails.map((email) => (
          <EmailDecision
            key={email.id}
            email={email}
            isChosen={!review.leftOut.has(email.id)}
            showSender={group.from === null}
            review={review}
          />
        ))}
      </ul>
    </section>
  );
};
