import { notifications } from '@mantine/notifications';
import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Files share one page. This runs after what a test file does after its tests.
afterEach(() => {
  vi.useRealTimers();
  if (typeof document === 'undefined') return;
  cleanup();
  document.body.replaceChildren();
  // Toasts outlive what showed them.
  notifications.clean();
  notifications.cleanQueue();
  localStorage.clear();
  sessionStorage.clear();
  document.body.inert = false;
  document.body.hidden = false;
  window.history.replaceState(null, '', '/');
});
