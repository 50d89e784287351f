import { Button } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { describeError } from '../api/describe-error.ts';
import { forgetFailedParts } from './lazy-part.ts';
import { PartLoadError } from './load-part.ts';
import classes from './part-boundary.module.css';
import { useWhenOnline } from './use-when-online.ts';

const Failure = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const retry = () => {
    forgetFailedParts();
    reset();
  };
  useWhenOnline(retry);
  const { title, advice } = describeError(error);
  const isOutdated = error instanceof PartLoadError && error.isOutdated;
  return (
    <div className={classes.failure} role="alert">
      <span className={classes.words}>
        <strong>{title}.</strong> {advice}
      </span>
      {isOutdated ? (
        <Button size="compact-md" onClick={() => window.location.reload()}>
          Reload
        </Button>
      ) : (
        <Button size="compact-md" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
};

/** Around a dialog or a pane that is loaded when it is needed: where it fails, the screen stays and says so. */
export const PartBoundary = ({ children }: { children: ReactNode }) => (
  <CatchBoundary getResetKey={() => ''} errorComponent={Failure}>
    <Suspense>{children}</Suspense>
  </CatchBoundary>
);
