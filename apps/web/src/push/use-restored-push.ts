import { useEffect } from 'react';
import { useApi } from '../api/api-context.tsx';
import { restorePush } from './device-push.ts';

/** Restores notifications on this device when the app starts. Where that fails, the settings show them as off. */
export const useRestoredPush = (): void => {
  const { client } = useApi();
  useEffect(() => void restorePush(client).catch(() => undefined), [client]);
};
