import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconWifiOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useConnection } from '../api/connection.ts';
import { isKept } from '../session/kept-work.ts';
import shapes from '../shapes.module.css';

const describeWaiting = (waiting: number): string => {
  if (waiting === 0) return t`What you see may be out of date.`;
  return plural(waiting, {
    one: 'Your action is carried out when you are back online.',
    other: '# actions are carried out when you are back online.',
  });
};

/** A strip below every screen for as long as there is no network. Leaving the page asks first while actions wait that are not kept on the device. */
export const OfflineBanner = () => {
  const { isOffline, waiting } = useConnection();
  const isAtRisk = waiting.some((key) => !isKept(key));
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
  return (
    <div role="status">
      {isOffline && (
        <div className={shapes.banner}>
          <IconWifiOff size={18} aria-hidden="true" />
          <span>
            <strong>
              <Trans>You are offline.</Trans>
            </strong>{' '}
            {describeWaiting(waiting.length)}
          </span>
        </div>
      )}
    </div>
  );
};
