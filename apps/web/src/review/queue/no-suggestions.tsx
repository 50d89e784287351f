import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { countEmails } from '../../email/counts.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NextWins, Payoff, usePayoff } from '../../home/payoff.tsx';
import type { ReviewFilters, Shown } from './review-filters.ts';
import type { Queue } from './use-queue.ts';

/** Nothing to decide: what can be done instead. */
export const NoSuggestions = (props: {
  queue: Queue;
  shown: Shown;
  onChange: (change: Partial<ReviewFilters>) => void;
}) => {
  const { queue, shown, onChange } = props;
  const payoff = usePayoff();
  const { likely, check } = queue.confidence ?? { likely: 0, check: 0 };
  const lessSure = (shown === 'sure' ? likely : 0) + (shown === 'everything' ? 0 : check);
  if (lessSure > 0) {
    const isLikely = shown === 'sure' && likely > 0;
    return (
      <EmptyState
        icon={<IconSparkles />}
        title={shown === 'sure' ? t`Nothing is left that is safe to clean` : t`Nothing probable is left`}
        actions={
          <Button onClick={() => onChange({ show: isLikely ? 'likely' : 'everything' })}>
            {isLikely ? t`Show the probable ones` : t`Show the ones to check`}
          </Button>
        }
      >
        <Trans>Less certain suggestions for {countEmails(lessSure)} are waiting.</Trans>
      </EmptyState>
    );
  }
  if (queue.newest.emails.length === 0) {
    return (
      <EmptyState icon={<IconSparkles />} title={t`Nothing to suggest`}>
        <Trans>Your inbox is empty. Suggestions for new email show up here.</Trans>
      </EmptyState>
    );
  }
  return (
    <>
      <Payoff />
      <EmptyState
        icon={<IconSparkles />}
        title={t`Nothing left to decide`}
        actions={
          <>
            {!payoff && <NextWins />}
            <Button variant="default" component={Link} to="/inbox">
              <Trans>Go to the inbox</Trans>
            </Button>
          </>
        }
      >
        {queue.coverage?.complete
          ? t`Every suggestion is decided. Those for new email show up here.`
          : t`Every suggestion so far is decided. Further back there may be more to clear.`}
      </EmptyState>
    </>
  );
};
