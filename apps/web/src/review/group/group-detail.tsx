import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../../email/counts.ts';
import { SenderButton } from '../../email/sender/sender-button.tsx';
import { lazyPart } from '../../parts/lazy-part.ts';
import { PartBoundary } from '../../parts/part-boundary.tsx';
import shapes from '../../shapes.module.css';
import { isReady } from '../../suggestions/confirming/other-action.ts';
import { ConsequenceList } from '../../suggestions/consequence-list.tsx';
import { isOnlyAdvice, toConsequences } from '../../suggestions/consequences.ts';
import { ActionChoice, describeDecision } from '../decisions/action-choice.tsx';
import type { Review } from '../decisions/use-review.ts';
import type { QueueGroup } from '../queue/queue-group.ts';
import classes from './group-detail.module.css';
import { GroupEmails } from './group-emails.tsx';
import type { GroupEmails as EmailList } from './use-group-emails.ts';
import type { Preview } from './use-preview.ts';

const GroupUnsubscribe = lazyPart(async () => (await import('./group-unsubscribe.tsx')).GroupUnsubscribe);

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
  const other = review.otherOf(group.key);
  const decision = describeDecision(other, formatCount(chosenCount));
  const isAdvice = !other && isOnlyAdvice(review.chosenActions);
  const isUndecidable = chosenCount === 0 || isAdvice || !isReady(other);
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
              <SenderButton sender={{ senderId: group.key, from: group.from }} name={group.title}>
                {t`More for this sender…`}
              </SenderButton>
              <PartBoundary>
                <GroupUnsubscribe
                  sender={{ id: group.key, from: group.from }}
                  decision={decision}
                  isDisabled={isUndecidable}
                  onYes={review.acceptGroup}
                />
              </PartBoundary>
            </div>
          )}
        </header>
        <div className={`${shapes.card} ${classes.plan}`}>
          <h3 className={classes.planTitle}>
            <Trans>What happens to {chosen}</Trans>
          </h3>
          <ActionChoice other={other} onChange={(next) => review.setOther(group.key, next)} />
          <ConsequenceList
            consequences={
              other
                ? toConsequences({ [other.action]: chosenCount })
                : toConsequences(review.chosenActions, group.labels)
            }
          />
          <div className={classes.decisions}>
            {!isAdvice && (
              <Button
                leftSection={<IconCheck size={17} aria-hidden="true" />}
                disabled={isUndecidable}
                onClick={review.acceptGroup}
              >
                {decision}
                <kbd className={classes.key}>Y</kbd>
              </Button>
            )}
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
