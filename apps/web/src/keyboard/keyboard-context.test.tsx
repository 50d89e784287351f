import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { savePreferences } from '../device-preferences/preferences.ts';
import { KeyboardProvider, useShortcuts } from './keyboard-context.tsx';

describe('shortcuts', () => {
  it('act from anywhere on the screen', async () => {
    const run = renderScreen();
    await userEvent.keyboard('e');
    expect(run.archive).toHaveBeenCalledOnce();
  });

  it('act as soon as the screen is painted', () => {
    const archive = vi.fn();
    const Painted = () => {
      useLayoutEffect(() => void fireEvent.keyDown(document.body, { key: 'e' }), []);
      return (
        <KeyboardProvider>
          <Screen runs={{ archive, goToInbox: vi.fn(), open: vi.fn(), palette: vi.fn() }} hasDialog={false} />
        </KeyboardProvider>
      );
    };
    render(<Painted />);
    expect(archive).toHaveBeenCalledOnce();
  });

  it('do not act while the user is typing', async () => {
    const run = renderScreen();
    await userEvent.type(screen.getByRole('textbox'), 'every');
    expect(run.archive).not.toHaveBeenCalled();
  });

  it('do not act behind an open dialog', async () => {
    const run = renderScreen({ hasDialog: true });
    await userEvent.keyboard('e');
    expect(run.archive).not.toHaveBeenCalled();
  });

  it('do not act by the key that closes a dialog', async () => {
    const run = renderScreen({ hasDialog: true });
    const close = () => screen.getByRole('dialog').removeAttribute('aria-modal');
    window.addEventListener('keydown', close, { capture: true, once: true });
    await userEvent.keyboard('e');
    expect(run.archive).not.toHaveBeenCalled();
    await userEvent.keyboard('e');
    expect(run.archive).toHaveBeenCalledOnce();
  });

  it('may be two keys one after the other', async () => {
    const run = renderScreen();
    await userEvent.keyboard('gi');
    expect(run.goToInbox).toHaveBeenCalledOnce();
  });

  it('leave Enter to the button that has the focus', async () => {
    const run = renderScreen();
    screen.getByRole('button').focus();
    await userEvent.keyboard('{Enter}');
    expect(run.open).not.toHaveBeenCalled();
  });

  it('of one character are silent once they are switched off, the others are not', async () => {
    savePreferences({ singleKeyShortcuts: false });
    const run = renderScreen();
    await userEvent.keyboard('e{Control>}k{/Control}');
    expect(run.archive).not.toHaveBeenCalled();
    expect(run.palette).toHaveBeenCalledOnce();
  });
});

interface Runs {
  archive: () => void;
  goToInbox: () => void;
  open: () => void;
  palette: () => void;
}

const Screen = ({ runs, hasDialog }: { runs: Runs; hasDialog: boolean }) => {
  useShortcuts([
    { keys: ['e'], label: 'Archive', group: 'Act', run: runs.archive },
    { keys: ['g i'], label: 'Inbox', group: 'Go to', run: runs.goToInbox },
    { keys: ['Enter'], label: 'Open', group: 'Move', run: runs.open },
    { keys: ['mod+k'], label: 'Palette', group: 'Everywhere', run: runs.palette },
  ]);
  return (
    <>
      <input type="text" />
      <button type="button">Press</button>
      {hasDialog && <div aria-modal="true" role="dialog" />}
    </>
  );
};

const renderScreen = ({ hasDialog = false } = {}) => {
  const runs = { archive: vi.fn(), goToInbox: vi.fn(), open: vi.fn(), palette: vi.fn() };
  render(
    <KeyboardProvider>
      <Screen runs={runs} hasDialog={hasDialog} />
    </KeyboardProvider>,
  );
  return runs;
};
