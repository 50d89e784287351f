import { Notifications } from '@mantine/notifications';

/** Further toasts wait. */
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
