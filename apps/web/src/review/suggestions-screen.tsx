import { t } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { describeError } from '../api/errors.ts';
import { AskedPlan } from '../cleanup/asked-plan.tsx';
import { CleanupBanner } from '../cleanup/cleanup-banner.tsx';
import { RetryButton } from '../controls/load-buttons.tsx';
import { useOpenAndActive } from '../controls/use-open-and-active.ts';
import { RunningCount } from '../email/running-count.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RoundSkeleton, Skeleton, SlowNotice } from '../feedback/skeleton.tsx';
import { inGroup, useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import { useRuleOffer } from '../rules/offer/rule-offer.ts';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import type { SuggestedEmail } from '../suggestions/suggested-email.ts';
import { type Review, useReview } from './decisions/use-review.ts';
import detailClasses from './group/group-detail.module.css';
import { GroupDetail } from './group/group-detail.tsx';
import emailsClasses from './group/group-emails.module.css';
import { type Preview, useGroupEmails, usePreview } from './group/use-group-emails.ts';
import listClasses from './queue/group-list.module.css';
import { GroupList } from './queue/group-list.tsx';
import { NoSuggestions, UnclassifiedEmail } from './queue/no-suggestions.tsx';
import { type ReviewFilters, type ShownFilters, toView, useShown } from './queue/review-filters.ts';
import toolbarClasses from './queue/review-toolbar.module.css';
import { ReviewToolbar, WholeMailboxLine } from './queue/review-toolbar.tsx';
import { type Queue, useQueue } from './queue/use-queue.ts';
import lineClasses from './queue/whole-mailbox-line.module.css';
import classes from './suggestions-screen.module.css';

/** The keys act on the open email, or else on the group. */
const useReviewShortcuts = (input: {
  review: Review;
  preview: Preview;
  emails: readonly SuggestedEmail[];
  setOpenKey: (key: string | undefined) => void;
}): void => {
  const { review, preview, emails, setOpenKey } = input;
  const ofEmail = [
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next email`, () => preview.move(1)],
      [['k', 'ArrowUp'], t`Email before`, () => preview.move(-1)],
      [['Escape', 'Space'], t`Close the email`, preview.close],
    ]),
    ...inGroup('Act', [
      [['y', 'e'], t`Accept for this email`, () => preview.decide('accept')],
      [['n'], t`Reject for this email`, () => preview.decide('reject')],
    ]),
    ...inGroup('Select', [[['x'], t`Tick or untick this email`, preview.toggle]]),
  ];
  const ofGroup = [
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next group`, () => review.move(1)],
      [['k', 'ArrowUp'], t`Group before`, () => review.move(-1)],
      [['o'], t`Open the group`, () => setOpenKey(review.active?.key)],
      [['Space'], t`Review the emails one by one`, () => preview.open(emails[0]?.id)],
      [['Escape'], t`Back to the groups`, () => setOpenKey(undefined)],
    ]),
    ...inGroup('Act', [
      [['y', 'e'], t`Accept the group`, review.acceptGroup],
      [['n'], t`Reject the group`, review.rejectGroup],
    ]),
  ];
  useShortcuts([
    ...(preview.email ? ofEmail : ofGroup),
    ...inGroup('Act', [[['shift+y'], t`Accept everything shown`, review.acceptAll]]),
  ]);
};

const GROUPS = Array.from({ length: 6 }, (_nothing, index) => index);

const ToolbarSkeleton = () => (
  <div className={`${shapes.filterBar} ${toolbarClasses.bar}`}>
    <Skeleton height={33} width={300} radius={8} />
    <Skeleton height={33} width={180} radius={8} />
    <Skeleton height={36} width={152} radius={8} className={toolbarClasses.all} />
  </div>
);

const GroupsSkeleton = () => (
  <div className={classes.panes}>
    <div className={listClasses.scroll}>
      {GROUPS.map((group) => (
        <div key={group} className={listClasses.group}>
          <RoundSkeleton size={40} />
          <div className={listClasses.words}>
            <Skeleton height={13} width={`${40 + ((group * 17) % 35)}%`} above={4} />
            <Skeleton height={11} width={`${25 + ((group * 29) % 30)}%`} above={9} />
            <Skeleton height={24} width={92} above={11} radius={7} />
          </div>
        </div>
      ))}
    </div>
    <div className={detailClasses.pane}>
      <div className={`${detailClasses.detail} ${emailsClasses.head}`}>
        <Skeleton height={20} width={180} above={4} />
        <Skeleton height={12} width={230} above={10} below={22} />
        <Skeleton height={138} radius={14} />
        <Skeleton height={300} radius={14} above={20} />
      </div>
    </div>
  </div>
);

const SuggestionsSkeleton = () => (
  <div role="status" aria-label={t`Scanning your email`} className={classes.screen}>
    <SlowNotice />
    <ToolbarSkeleton />
    <GroupsSkeleton />
    <p className={lineClasses.line} />
  </div>
);

const route = getRouteApi('/app/suggestions');

const EmailPreview = lazyPart(async () => (await import('./group/email-preview.tsx')).EmailPreview);
const RuleOfferCard = lazyPart(
  async () => (await import('../rules/offer/rule-offer-card.tsx')).RuleOfferCard,
);

/** The open group on narrow screens. Its key is in the hash, which browsers send to no server. */
const useOpenGroup = () => {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  const openKey = hash === '' ? undefined : hash;
  return {
    openKey,
    /** Back leads to the list, not through every opened group. */
    setOpenKey: (key: string | undefined) =>
      void navigate({
        search: ({ email: _email, ...filters }) => filters,
        hash: key ?? '',
        hashScrollIntoView: false,
        replace: openKey !== undefined,
      }),
  };
};

/** Says that the newest emails could not be scanned; earlier suggestions still show. */
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
  // Narrow screens show the detail over the list.
  const isWide = useMediaQuery('(min-width: 960.02px)', undefined, { getInitialValueInEffect: false });
  const isDetailShown = isWide || isDetailOpen;
  const list = useGroupEmails(isDetailShown ? review.active : undefined, view);
  const preview = usePreview(list.emails, review);
  useReviewShortcuts({ review, preview, emails: list.emails, setOpenKey });
  const toggleFirst = () => (preview.email ? preview.close() : preview.open(list.emails[0]?.id));

  return (
    <>
      <div className={classes.controls}>
        <ReviewToolbar
          filters={filters}
          onChange={onChange}
          confidence={queue.confidence}
          chosen={review.chosenOfAll}
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
      <AskedPlan cleanup={review.cleanup} />
    </>
  );
};

/** Suggestions for the whole mailbox, grouped by what the user decides about. */
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
