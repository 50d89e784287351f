import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconWifiOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useConnection } from '../api/connection.ts';
import shapes from '../shapes.module.css';

const describeWaiting = (waiting: number): string => {
  if (waiting === 0) return t`What you see may be out of date.`;
  return plural(waiting, {
    one: 'Your action is carried out when you are back online.',
    other: '# actions are carried out when you are back online.',
  });
};

/** A strip above every screen for as long as there is no network. Leaving the page with actions waiting asks first. */
export const OfflineBanner = () => {
  const { isOffline, waiting } = useConnection();
  const hasWaiting = waiting > 0;
  useEffect(() => {
    if (!hasWaiting) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasWaiting]);
  return (
    <div role="status">
      {isOffline && (
        <div className={shapes.banner}>
          <IconWifiOff size={18} aria-hidden="true" />
          <span>
            <strong>
              <Trans>You are offline.</Trans>
            </strong>{' '}
            {describeWaiting(waiting)}
          </span>
        </div>
      )}
    </div>
  );
};
