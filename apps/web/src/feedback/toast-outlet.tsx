import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense } from 'react';
import { useOnceTrue } from '../controls/use-once-true.ts';

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/** Where toasts come up; what shows them is loaded with the first one. */
export const ToastOutlet = () => {
  const { notifications } = useNotifications();
  const hasToasts = useOnceTrue(notifications.length > 0);
  return <Suspense>{hasToasts && <ToastList />}</Suspense>;
};
