import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, type RefObject, Suspense, useCallback, useRef } from 'react';
import { describeError, PartLoadError } from '../api/errors.ts';
import { whenMailboxIsQuiet } from '../api/mailbox-change.ts';
import { offerLater, type WorkToKeep } from '../session/kept-work.ts';
import { forgetFailedParts } from './lazy-part.ts';
import classes from './part-boundary.module.css';

/** Reloads the page once mailbox changes have ended. @param unfinished - work for the new page to offer */
export const useReload = (): ((unfinished?: WorkToKeep) => void) => {
  const queryClient = useQueryClient();
  return useCallback(
    (unfinished) => {
      if (unfinished) offerLater(queryClient, unfinished);
      whenMailboxIsQuiet(queryClient, () => window.location.reload());
    },
    [queryClient],
  );
};

const Failure = (props: {
  error: unknown;
  reset: () => void;
  unfinished: RefObject<WorkToKeep | undefined>;
}) => {
  const { error, reset, unfinished } = props;
  const reload = useReload();
  const retry = () => {
    forgetFailedParts();
    reset();
  };
  useWindowEvent('online', retry);
  const { title, advice } = describeError(error);
  const isOutdated = error instanceof PartLoadError && error.isOutdated;
  return (
    <div className={classes.failure} role="alert">
      <span className={classes.words}>
        <strong>{title}.</strong> {advice}
      </span>
      <Button size="compact-md" onClick={isOutdated ? () => reload(unfinished.current) : retry}>
        {isOutdated ? t`Reload` : t`Try again`}
      </Button>
    </div>
  );
};

/**
 * Around a lazy dialog or pane: if it fails, the screen stays and says so.
 *
 * @param props.unfinished - work of the part, which a new version of the app offers
 */
export const PartBoundary = (props: { children: ReactNode; unfinished?: WorkToKeep | undefined }) => {
  const latest = useRef(props.unfinished);
  latest.current = props.unfinished;
  const PartFailure = useCallback(
    (props: { error: unknown; reset: () => void }) => <Failure {...props} unfinished={latest} />,
    [],
  );
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PartFailure}>
      <Suspense>{props.children}</Suspense>
    </CatchBoundary>
  );
};
