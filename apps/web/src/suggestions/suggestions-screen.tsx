import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { PrefetchContext } from '../api/api-context.tsx';
import { useDeferredMount } from '../controls/use-deferred-mount.ts';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { useOpenAndActive } from '../controls/use-open-and-active.ts';
import { formatCount } from '../email/counts.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { coverageQuery } from '../queries/senders-query.ts';
import { suggestionsQuery } from '../queries/suggestions-query.ts';
import { ScanLine } from '../scan/scan-line.tsx';
import { newestScanQuery } from '../scan/scan-query.ts';
import { ScreenHeader } from '../shell/screen-header.tsx';
import { GroupDetail } from './group-detail.tsx';
import { GroupList } from './group-list.tsx';
import { MoreSuggestions } from './more-suggestions.tsx';
import { NoSuggestions } from './no-suggestions.tsx';
import type { SuggestionFilters } from './suggestion-filters.ts';
import classes from './suggestions-screen.module.css';
import { GroupsSkeleton, SuggestionsSkeleton } from './suggestions-skeleton.tsx';
import { SuggestionsToolbar } from './suggestions-toolbar.tsx';
import { UnclassifiedEmail } from './unclassified-email.tsx';
import { useOpenGroup } from './use-open-group.ts';
import { useReview } from './use-review.ts';
import { useSuggestionShortcuts } from './use-suggestion-shortcuts.ts';
import { type Suggestions, useSuggestions } from './use-suggestions.ts';

const ReviewDialog = lazyPart(async () => (await import('./review-dialog.tsx')).ReviewDialog);

const route = getRouteApi('/app/suggestions');

/** Asks for what the screen shows first. */
export const prefetchSuggestions = ({ api, queryClient }: PrefetchContext): void => {
  void queryClient.prefetchInfiniteQuery(suggestionsQuery(api.client));
  void queryClient.prefetchQuery(newestScanQuery(api.client));
  void queryClient.prefetchQuery(coverageQuery(api.client));
};

const Groups = (props: {
  suggestions: Suggestions;
  filters: SuggestionFilters;
  onChange: (change: Partial<SuggestionFilters>) => void;
}) => {
  const { suggestions, filters } = props;
  const { groups } = suggestions;
  const review = useReview(groups);
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
  useSuggestionShortcuts({ review, suggestions, setOpenKey });
  const hasAsked = useOnceTrue(review.pending !== null);
  // On narrow screens the detail lies over the list once it is opened.
  const isWide = useMediaQuery('(min-width: 960.02px)', undefined, { getInitialValueInEffect: false });
  const hasGroups = useDeferredMount();
  const acceptAll = () =>
    review.acceptAll(
      filters.sure ? `Accept everything at least ${filters.sure}% sure?` : 'Accept every suggestion?',
    );

  return (
    <>
      <ScanLine lookedAtCount={suggestions.lookedAtCount} />
      <SuggestionsToolbar
        filters={filters}
        onChange={props.onChange}
        chosen={review.chosenOfAll.length}
        shown={review.shownCount}
        onAcceptAll={acceptAll}
      />
      {groups.length === 0 ? (
        <NoSuggestions
          suggestions={suggestions}
          isFiltered={filters.sure !== undefined}
          onClear={() => props.onChange({ sure: undefined })}
        />
      ) : !hasGroups ? (
        <GroupsSkeleton />
      ) : (
        <div className={classes.panes} data-open={isDetailOpen || undefined}>
          <GroupList
            groups={groups}
            activeKey={review.active?.key}
            onOpen={(key) => {
              review.activate(key);
              setOpenKey(key);
            }}
            footer={<MoreSuggestions suggestions={suggestions} />}
          />
          {review.active && (isWide || isDetailOpen) && (
            <GroupDetail
              key={review.active.key}
              group={review.active}
              review={review}
              onBack={() => setOpenKey(undefined)}
            />
          )}
        </div>
      )}
      <PartBoundary unfinished={{ kind: 'accept', ids: review.pending?.emails.map(({ id }) => id) ?? [] }}>
        {hasAsked && <ReviewDialog review={review} />}
      </PartBoundary>
    </>
  );
};

/** What could be cleaned up, grouped by what the user decides about. */
export const SuggestionsScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const suggestions = useSuggestions(filters);
  const onChange = (change: Partial<SuggestionFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const counts = `${formatCount(suggestions.suggestedCount)} of ${formatCount(suggestions.lookedAtCount)}`;
  const note = (
    <span title={`${counts} emails have a suggestion`}>{suggestions.isClassified ? counts : ' '}</span>
  );
  return (
    <div className={classes.screen}>
      <ScreenHeader title="Suggestions" note={suggestions.isPending ? ' ' : note}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={suggestions.isRefreshing}
          onClick={suggestions.refresh}
        >
          Look again
        </Button>
      </ScreenHeader>
      {suggestions.isPending ? (
        <SuggestionsSkeleton />
      ) : suggestions.error && suggestions.lookedAtCount === 0 ? (
        <ErrorState error={suggestions.error} onRetry={suggestions.refresh} />
      ) : suggestions.isClassified ? (
        <Groups suggestions={suggestions} filters={filters} onChange={onChange} />
      ) : (
        <UnclassifiedEmail suggestions={suggestions} />
      )}
    </div>
  );
};
