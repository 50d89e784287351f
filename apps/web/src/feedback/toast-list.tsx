import { Notifications } from '@mantine/notifications';

/** Most toasts at a time; the others wait. */
const TOASTS_SHOWN = 3;

export const ToastList = () => (
  <Notifications
    className="toasts"
    position="bottom-left"
    limit={TOASTS_SHOWN}
    containerWidth={460}
    zIndex={400}
  />
);
