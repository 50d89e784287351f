import { t } from '@lingui/core/macro';
import { ProblemError } from '@mailsweep/client';
import { listRowClasses } from '../../controls/list/list-row.tsx';
import { ErrorState } from '../../feedback/error-state.tsx';
import { RoundSkeleton, Skeleton } from '../../feedback/skeleton.tsx';
import { SlowNotice } from '../../feedback/slow-notice.tsx';
import { lazyPart } from '../../parts/lazy-part.ts';
import { PartBoundary } from '../../parts/part-boundary.tsx';
import shapes from '../../shapes.module.css';
import type { Triage } from '../actions/use-triage.ts';
import { type InboxFilters, toFindWords, withoutSearch } from '../filters/inbox-filters.ts';
import classes from './email-grid.module.css';
import { EmailGrid } from './email-grid.tsx';
import rowClasses from './email-row.module.css';
import type { EmailListState } from './use-email-list.ts';

const ROWS = Array.from({ length: 14 }, (_nothing, index) => index);

/** Grey rows in the places of the emails. */
const EmailGridSkeleton = () => (
  <div className={`${shapes.scroll} ${classes.scroll}`} role="status" aria-label={t`Loading emails`}>
    <SlowNotice />
    {ROWS.map((row) => (
      <div key={row} className={`${listRowClasses.row} ${rowClasses.row}`} data-skeleton>
        <span className={listRowClasses.mark}>
          <RoundSkeleton size={28} />
        </span>
        <span className={rowClasses.sender}>
          <Skeleton height={12} width={`${55 + ((row * 23) % 40)}%`} />
        </span>
        <span className={rowClasses.words}>
          <Skeleton height={12} width={`${45 + ((row * 31) % 50)}%`} />
        </span>
      </div>
    ))}
  </div>
);

const NothingHere = lazyPart(async () => (await import('./nothing-here.tsx')).NothingHere);
const WrongSearch = lazyPart(async () => (await import('./nothing-here.tsx')).WrongSearch);

/** What the API says is wrong with the search itself. */
const findSearchError = (error: unknown): string | undefined =>
  error instanceof ProblemError
    ? error.problem.errors?.find(({ path }) => path === 'search')?.message
    : undefined;

/** The list in whatever state it is: loading, failed, empty, or full of email. */
export const InboxBody = (props: {
  list: EmailListState;
  triage: Triage;
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onSearch: (words: string) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, filters, onChange, onSearch } = props;
  if (list.isPending) return <EmailGridSkeleton />;
  if (list.error && list.loadedCount === 0) {
    const message = findSearchError(list.error);
    if (message !== undefined && filters.q !== undefined) {
      const clear = () => onChange(withoutSearch(filters));
      return (
        <PartBoundary>
          <WrongSearch q={filters.q} message={message} onClear={clear} />
        </PartBoundary>
      );
    }
    return <ErrorState error={list.error} onRetry={list.retry} />;
  }
  if (list.emails.length === 0 && !list.hasMore) {
    return (
      <PartBoundary>
        <NothingHere filters={filters} onChange={onChange} onSearch={onSearch} />
      </PartBoundary>
    );
  }
  const find = toFindWords(filters).length > 0 ? filters.find : undefined;
  return <EmailGrid list={list} triage={triage} find={find} onSearch={onSearch} onOpen={props.onOpen} />;
};
