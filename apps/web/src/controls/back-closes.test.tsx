import type { RouterHistory } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { useDialogEntries } from './back-closes.ts';
import { Dialog } from './dialog.tsx';

const Screen = () => {
  const [isOpen, setOpen] = useState(false);
  useDialogEntries();
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {isOpen && <Dialog onClose={() => setOpen(false)} title="A question" closeLabel="Close" />}
    </>
  );
};

const ask = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await screen.findByRole('dialog');
};
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('Back closes a dialog and stays on the screen', async () => {
  const { router } = renderAtRoute(Screen, () => ({}), '/inbox');
  await screen.findByRole('button', { name: 'Ask' });
  await ask();
  await waitFor(() => expect(router.state.location.state.dialogs).toBe(1));
  act(() => router.history.back());
  await isGone();
  expect(router.state.location.pathname).toBe('/inbox');
  await ask();
});

test('a dialog that is opened again while the browser still goes back stays open', async () => {
  const { router } = renderAtRoute(Screen, () => ({}), '/inbox');
  await screen.findByRole('button', { name: 'Ask' });
  const land = goLate(router.history);
  await ask();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(land.isPending()).toBe(true));
  await isGone();
  await ask();
  act(() => land.now());
  await waitFor(() => expect(router.state.location.state.dialogs).toBe(1));
  expect(screen.queryByRole('dialog')).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(land.isPending()).toBe(true));
  act(() => land.now());
  await waitFor(() => expect(router.state.location.state.dialogs).toBeUndefined());
});

/** Goes back later, as a browser does, from the current entry. */
const goLate = (history: RouterHistory) => {
  const { go } = history;
  const indexOf = () => history.location.state.__TSR_index;
  let target: number | undefined;
  history.go = (by) => {
    target = indexOf() + by;
  };
  return {
    isPending: () => target !== undefined,
    now: () => {
      go(Number(target) - indexOf());
      target = undefined;
    },
  };
};

test('a dialog that is closed by other means leaves no entry behind', async () => {
  const { router } = renderAtRoute(Screen, () => ({}), '/inbox');
  await screen.findByRole('button', { name: 'Ask' });
  await router.navigate({ to: '/inbox', search: { unread: true } } as never);
  await ask();
  await waitFor(() => expect(router.state.location.state.dialogs).toBe(1));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await isGone();
  await waitFor(() => expect(router.state.location.state.dialogs).toBeUndefined());
  act(() => router.history.back());
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});
