import { Trans } from '@lingui/react/macro';
import { useWindowEvent } from '@mantine/hooks';
import { useNotifications } from '@mantine/notifications';
import { CatchBoundary } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { forgetFailedParts, lazyPart } from '../parts/lazy-part.ts';
import classes from './toasts.module.css';
import { hideToast } from './toasts.tsx';

const ToastList = lazyPart(async () => (await import('./toast-list.tsx')).ToastList);

/** Toasts that are shown at a time where their list could not be loaded. */
const PLAIN_TOASTS_SHOWN = 2;

/** What the toasts say and offer, where the code that shows them could not be loaded. */
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

/** Where toasts come up; what shows them is loaded with the first one at the latest. */
export const ToastOutlet = () => {
  const { notifications } = useNotifications();
  const hasToasts = useOnceTrue(notifications.length > 0);
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PlainToasts}>
      <Suspense>{hasToasts && <ToastList />}</Suspense>
    </CatchBoundary>
  );
};
