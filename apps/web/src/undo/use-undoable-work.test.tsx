import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Gesture } from '../api/gesture.ts';
import { LanguageProvider } from '../language/language-provider.tsx';
import { UndoProvider } from './undo-context.tsx';
import { type PerformedWork, useUndoableWork } from './use-undoable-work.ts';

describe('work on emails', () => {
  it('that failed is tried again as the same gesture, and so is its undo', async () => {
    const performed: string[] = [];
    const undone: string[] = [];
    const failFirst = (keys: string[], gesture: Gesture) => {
      keys.push(gesture.keyOf(0));
      if (keys.length === 1) throw new Error('offline');
    };
    const done: PerformedWork = {
      results: [{ emailId: 'email-1', status: 'ok' }],
      recordIds: [],
      undo: async (gesture) => {
        failFirst(undone, gesture);
        return { undone: 1, failures: '' };
      },
    };
    renderWork(async (gesture) => {
      failFirst(performed, gesture);
      return done;
    });
    await userEvent.click(screen.getByRole('button', { name: 'Archive' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('Archived');
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText(/^Undone/);

    expect(performed).toEqual([performed[0], performed[0]]);
    expect(undone).toEqual([undone[0], undone[0]]);
    expect(undone[0]).not.toBe(performed[0]);
    await userEvent.click(screen.getByRole('button', { name: 'Archive' }));
    expect(new Set(performed).size).toBe(2);
  });
});

const renderWork = (perform: (gesture: Gesture) => Promise<PerformedWork>) => {
  const Archive = () => {
    const work = useUndoableWork();
    const toWords = () => ({ title: 'Archived', detail: '' });
    return (
      <button
        type="button"
        onClick={() =>
          work({
            kept: { kind: 'archive', ids: ['email-1'] },
            label: 'Archiving…',
            perform,
            describe: toWords,
          })
        }
      >
        Archive
      </button>
    );
  };
  render(
    <MantineProvider>
      <LanguageProvider>
        <Notifications />
        <QueryClientProvider client={new QueryClient()}>
          <UndoProvider>
            <Archive />
          </UndoProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
};
