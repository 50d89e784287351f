import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../../email/counts.ts';
import { ShieldButton } from '../../protection/shield-button.tsx';
import shapes from '../../shapes.module.css';
import { toPlanOfCounts } from '../../suggestions/plan.ts';
import { PlanSummary } from '../../suggestions/plan-summary.tsx';
import type { Review } from '../decisions/use-review.ts';
import type { QueueGroup } from '../queue/queue-group.ts';
import classes from './group-detail.module.css';
import { GroupEmails } from './group-emails.tsx';
import type { GroupEmails as EmailList } from './use-group-emails.ts';
import type { Preview } from './use-preview.ts';

/** One group: what accepting it will do, the two responses, and its emails one by one. */
export const GroupDetail = (props: {
  group: QueueGroup;
  list: EmailList;
  review: Review;
  preview: Preview;
  onBack: () => void;
}) => {
  const { group, review, list } = props;
  const { chosenCount } = review;
  const isAll = chosenCount === group.emails;
  const chosen = isAll
    ? countEmails(chosenCount)
    : t`${{ chosen: formatCount(chosenCount) }} of ${{ emails: countEmails(group.emails) }}`;
  return (
    <section className={classes.pane} aria-label={t`Suggestions: ${group.title}`}>
      <GroupEmails
        list={list}
        review={review}
        preview={props.preview}
        showSender={group.from === null}
        className={classes.detail}
      >
        <button type="button" className={classes.back} onClick={props.onBack}>
          <IconArrowLeft size={18} aria-hidden="true" /> <Trans>All groups</Trans>
        </button>
        <header className={classes.title}>
          <h2 className={classes.name}>
            <bdi>{group.title}</bdi>
          </h2>
          <bdi className={classes.note}>{group.note}</bdi>
          {group.from !== null && (
            <div className={classes.protection}>
              <ShieldButton sender={{ id: group.key, from: group.from }} isProtected={group.protected} />
            </div>
          )}
        </header>
        <div className={`${shapes.card} ${classes.plan}`}>
          <h3 className={classes.planTitle}>
            <Trans>If you accept {chosen}</Trans>
          </h3>
          <PlanSummary plan={toPlanOfCounts(review.chosenActions, group.labels)} />
          <div className={classes.decisions}>
            <Button
              leftSection={<IconCheck size={17} aria-hidden="true" />}
              disabled={chosenCount === 0}
              onClick={review.acceptGroup}
            >
              <Trans>
                Accept {formatCount(chosenCount)}
                <kbd className={classes.key}>Y</kbd>
              </Trans>
            </Button>
            <Button
              variant="default"
              leftSection={<IconX size={17} aria-hidden="true" />}
              disabled={chosenCount === 0}
              onClick={review.rejectGroup}
            >
              <Trans>
                Reject {formatCount(chosenCount)}
                <kbd className={classes.key}>N</kbd>
              </Trans>
            </Button>
          </div>
        </div>
      </GroupEmails>
    </section>
  );
};
