import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { focusFallback, useReturnedFocus } from './use-returned-focus.ts';

const Opener = ({ isOpen }: { isOpen: boolean }) => {
  useReturnedFocus(isOpen);
  return (
    <>
      <h1 tabIndex={-1}>Title</h1>
      <button type="button">Opener</button>
      {isOpen && <button type="button">In the dialog</button>}
    </>
  );
};

/** Opens a dialog from its button, closes it, and moves the focus elsewhere before it returns. */
const closeAndLead = (lead: (title: HTMLElement) => void) => {
  const { rerender } = render(<Opener isOpen={false} />);
  screen.getByRole('button', { name: 'Opener' }).focus();
  rerender(<Opener isOpen />);
  screen.getByRole('button', { name: 'In the dialog' }).focus();
  rerender(<Opener isOpen={false} />);
  lead(screen.getByRole('heading'));
};

it('takes the focus back from where it fell because the dialog went away', async () => {
  closeAndLead(focusFallback);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Opener'));
});

it('leaves the focus where something else has put it', async () => {
  closeAndLead((title) => title.focus());
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement?.textContent).toBe('Title');
});
