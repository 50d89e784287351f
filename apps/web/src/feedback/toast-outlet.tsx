import { Trans } from '@lingui/react/macro';
import { useWindowEvent } from '@mantine/hooks';
import { useNotifications } from '@mantine/notifications';
import { CatchBoundary } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { forgetFailedParts, lazyPart } from '../lazy-parts/lazy-part.ts';
import classes from './toasts.module.css';
import { hideToast } from './toasts.tsx';

const ToastList = lazyPart(async () => (await import('./toast-list.tsx')).ToastList);

const PLAIN_TOASTS_SHOWN = 2;

/** The toasts' words and actions, if the code that shows them could not be loaded. */
const PlainToasts = ({ reset }: { reset: () => void }) => {
  const { notifications } = useNotifications();
  useWindowEvent('online', () => {
    forgetFailedParts();
    reset();
  });
  return (
    <div className={classes.plain}>
      {notifications.slice(-PLAIN_TOASTS_SHOWN).map(({ id = '', message }) => (
        <div key={id} className={classes.plainToast} role="alert">
          {message}
          <button type="button" className={classes.dismiss} onClick={() => hideToast(id)}>
            <Trans>Dismiss</Trans>
          </button>
        </div>
      ))}
    </div>
  );
};

/** Loads the toast list with the first toast at the latest. */
export const ToastOutlet = () => {
  const { notifications } = useNotifications();
  const hasToasts = useOnceTrue(notifications.length > 0);
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PlainToasts}>
      <Suspense>{hasToasts && <ToastList />}</Suspense>
    </CatchBoundary>
  );
};
