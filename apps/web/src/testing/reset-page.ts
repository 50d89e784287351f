import { notifications } from '@mantine/notifications';
import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Files share one page. Runs after a test file's own clean-up.
afterEach(() => {
  vi.useRealTimers();
  if (typeof document === 'undefined') return;
  cleanup();
  document.body.replaceChildren();
  // Toasts outlive their components.
  notifications.clean();
  notifications.cleanQueue();
  localStorage.clear();
  sessionStorage.clear();
  document.body.inert = false;
  document.body.hidden = false;
  document.body.style.visibility = '';
  window.history.replaceState(null, '', '/');
});
