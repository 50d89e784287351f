import { t } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { CleanupBanner } from '../cleanup/cleanup-banner.tsx';
import { RetryButton } from '../controls/retry-button.tsx';
import { RunningCount } from '../controls/running-count.tsx';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { useOpenAndActive } from '../controls/use-open-and-active.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { useRuleOffer } from '../rules/offer/rule-offer.ts';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { useReview } from './decisions/use-review.ts';
import { GroupDetail } from './group/group-detail.tsx';
import { useGroupEmails } from './group/use-group-emails.ts';
import { usePreview } from './group/use-preview.ts';
import { useShown } from './queue/first-shown.ts';
import { GroupList } from './queue/group-list.tsx';
import { NoSuggestions } from './queue/no-suggestions.tsx';
import { type ReviewFilters, type ShownFilters, toView } from './queue/review-filters.ts';
import { ReviewToolbar } from './queue/review-toolbar.tsx';
import { UnclassifiedEmail } from './queue/unclassified-email.tsx';
import { type Queue, useQueue } from './queue/use-queue.ts';
import { WholeMailboxLine } from './queue/whole-mailbox-line.tsx';
import { GroupsSkeleton, SuggestionsSkeleton } from './review-skeleton.tsx';
import classes from './suggestions-screen.module.css';
import { useReviewShortcuts } from './use-review-shortcuts.ts';

const route = getRouteApi('/app/suggestions');

const EmailPreview = lazyPart(async () => (await import('./group/email-preview.tsx')).EmailPreview);
const PlanDialog = lazyPart(async () => (await import('../cleanup/plan/plan-dialog.tsx')).PlanDialog);

const RuleOfferCard = lazyPart(
  async () => (await import('../rules/offer/rule-offer-card.tsx')).RuleOfferCard,
);

/**
 * The group that lies over the list on narrow screens. Its key is in the part of the address that browsers send to no
 * server.
 */
const useOpenGroup = () => {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  const openKey = hash === '' ? undefined : hash;
  return {
    openKey,
    /** The way back leads from a group to the list, not through every group looked at. */
    setOpenKey: (key: string | undefined) =>
      void navigate({
        search: ({ email: _email, ...filters }) => filters,
        hash: key ?? '',
        hashScrollIntoView: false,
        replace: openKey !== undefined,
      }),
  };
};

/** That the newest emails could not be scanned; what was suggested before is shown all the same. */
const NewestNote = ({ newest }: { newest: Queue['newest'] }) => {
  if (!newest.error && !newest.isUnclassified) return null;
  return (
    <p className={classes.note} role="status">
      {newest.isUnclassified
        ? t`Your newest emails have no suggestions yet: the classification service does not respond. They follow automatically.`
        : t`Your newest emails could not be scanned. ${{ why: newest.error ? describeError(newest.error).title : '' }}.`}
      <RetryButton isLoading={newest.isRefreshing} onClick={newest.refresh} />
    </p>
  );
};

const Groups = (props: {
  queue: Queue;
  filters: ShownFilters;
  hold: () => void;
  onChange: (change: Partial<ReviewFilters>) => void;
}) => {
  const { queue, filters, onChange } = props;
  const view = toView(filters);
  const { groups } = queue;
  const review = useReview({ queue, view, hold: props.hold });
  const { openKey, setOpenKey } = useOpenGroup();
  const activeKey = review.active?.key ?? null;
  useOpenAndActive({
    openId: openKey,
    setOpenId: setOpenKey,
    activeId: activeKey,
    activate: review.activate,
  });
  // A group that is gone leaves the list.
  const isDetailOpen = openKey !== undefined && openKey === activeKey;
  // On narrow screens the detail lies over the list once it is opened.
  const isWide = useMediaQuery('(min-width: 960.02px)', undefined, { getInitialValueInEffect: false });
  const isDetailShown = isWide || isDetailOpen;
  const list = useGroupEmails(isDetailShown ? review.active : undefined, view);
  const preview = usePreview(list.emails, review);
  useReviewShortcuts({ review, preview, emails: list.emails, setOpenKey });
  const hasAsked = useOnceTrue(review.question !== null);
  const toggleFirst = () => (preview.email ? preview.close() : preview.open(list.emails[0]?.id));

  return (
    <>
      <div className={classes.controls}>
        <ReviewToolbar
          filters={filters}
          onChange={onChange}
          confidence={queue.confidence}
          chosen={review.chosenOfAll}
          shown={queue.emails}
          onAcceptAll={review.acceptAll}
        />
      </div>
      {queue.isPending ? (
        <GroupsSkeleton />
      ) : groups.length === 0 ? (
        <NoSuggestions queue={queue} shown={filters.show} onChange={onChange} />
      ) : (
        // Without a key, Preact would reuse the DOM element of the notes below, and both would move.
        <div
          key="panes"
          className={classes.panes}
          data-open={isDetailOpen || undefined}
          onPointerEnter={review.hold}
        >
          <GroupList
            name={JSON.stringify(view)}
            groups={groups}
            activeKey={activeKey}
            hasMore={queue.hasMore}
            loadMore={queue.loadMore}
            onOpen={(key) => {
              review.activate(key);
              setOpenKey(key);
            }}
            onSpace={toggleFirst}
          />
          {review.active && isDetailShown && (
            <GroupDetail
              key={review.active.key}
              group={review.active}
              list={list}
              review={review}
              preview={preview}
              onBack={() => setOpenKey(undefined)}
            />
          )}
          {preview.email && isDetailShown && (
            <PartBoundary>
              <EmailPreview preview={preview} review={review} />
            </PartBoundary>
          )}
        </div>
      )}
      <div className={classes.notes}>
        <NewestNote newest={queue.newest} />
        <CleanupBanner />
        <WholeMailboxLine coverage={queue.coverage} />
      </div>
      <PartBoundary>
        {hasAsked && (
          <PlanDialog question={review.question} onClose={review.cancelQuestion} onYes={review.runPlan} />
        )}
      </PartBoundary>
    </>
  );
};

/** What could be cleaned up in the whole mailbox, grouped by what the user decides about. */
export const SuggestionsScreen = () => {
  const { email: _email, ...asked } = route.useSearch();
  const filters = { ...asked, show: useShown(asked) };
  const navigate = route.useNavigate();
  const view = toView(filters);
  const viewId = `${view.by} ${view.minAcceptance}`;
  const [heldView, setHeldView] = useState<string | null>(null);
  const queue = useQueue(view, heldView === viewId);
  const onChange = (change: Partial<ReviewFilters>) =>
    void navigate({
      search: ({ email: _closed, ...current }) => ({ ...current, ...change }),
      replace: true,
      state: true,
    });
  const ruleOffer = useRuleOffer();

  const { newest, confidence } = queue;
  const total = confidence ? confidence.sure + confidence.likely + confidence.check : 0;
  const hasStored = total > 0;
  const error = queue.error ?? (hasStored ? null : newest.error);
  return (
    <div className={classes.screen}>
      <ScreenHeader
        title={t`Suggestions`}
        note={
          hasStored ? (
            <span title={t`Emails with a suggestion`}>
              <RunningCount count={total} />
            </span>
          ) : (
            ' '
          )
        }
      />
      {confidence === undefined && queue.isPending ? (
        <SuggestionsSkeleton />
      ) : error && !hasStored ? (
        <ErrorState error={error} onRetry={queue.refresh} />
      ) : !hasStored && newest.isPending ? (
        <SuggestionsSkeleton />
      ) : !hasStored && newest.isUnclassified ? (
        <UnclassifiedEmail newest={newest} />
      ) : (
        <Groups queue={queue} filters={filters} hold={() => setHeldView(viewId)} onChange={onChange} />
      )}
      {ruleOffer && (
        <PartBoundary>
          <RuleOfferCard key={ruleOffer.key} offer={ruleOffer} />
        </PartBoundary>
      )}
    </div>
  );
};
