import { DEFAULT_PREFERENCES, type Preferences } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ConsequenceList } from '../suggestions/consequence-list.tsx';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { HistoryRetention, LabelNames } from './kept-history-and-labels.tsx';

describe('for how long the history is kept', () => {
  it('is for good at first, and shorter only after the question what is deleted', async () => {
    const { changes } = renderSetting(HistoryRetention);
    const field = await findField('Keep the history');
    expect(field).toHaveProperty('value', 'forGood');
    await userEvent.selectOptions(field, '1 year');
    const dialog = await screen.findByRole('dialog', { name: 'Delete the older history?' });
    expect(dialog.textContent).toContain('older than 1 year. It is deleted for good');
    await userEvent.click(
      within(dialog).getAllByRole('button', { name: 'Cancel' }).slice(-1)[0] as HTMLElement,
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes).toEqual([]);
    expect(field).toHaveProperty('value', 'forGood');

    await userEvent.selectOptions(field, '90 days');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete older history' }));
    await waitFor(() => expect(changes).toEqual([{ historyRetentionDays: 90 }]));
    expect(await screen.findByText(/^Records older than this are deleted and can’t be undone/)).toBeTruthy();
    expect(field).toHaveProperty('value', '90');
  });

  it('is made longer without a question', async () => {
    const { changes } = renderSetting(HistoryRetention, { historyRetentionDays: 90 });
    const field = await findField('Keep the history');
    await userEvent.selectOptions(field, '2 years');
    await userEvent.selectOptions(field, 'For good');
    await waitFor(() =>
      expect(changes).toEqual([{ historyRetentionDays: 730 }, { historyRetentionDays: null }]),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the names of labels', () => {
  it('are those of Mailsweep until the user names one, and again when the field is emptied', async () => {
    const { changes } = renderSetting(LabelNames);
    const field = await findField('Label for Receipts');
    expect(field).toHaveProperty('placeholder', 'Mailsweep/receipt');
    await userEvent.type(field, ' Papers/Receipts {Enter}');
    await waitFor(() => expect(changes).toEqual([{ labelNames: { receipt: 'Papers/Receipts' } }]));
    await userEvent.clear(field);
    await userEvent.tab();
    await waitFor(() => expect(changes.slice(1)).toEqual([{ labelNames: { receipt: null } }]));
    await userEvent.click(field);
    await userEvent.tab();
    expect(changes).toHaveLength(2);
  });

  it.each([
    ['inbox', 'This name is not possible'],
    ['Work//Receipts', 'This name is not possible'],
    ['LARGE', 'Another label has this name already'],
  ])('are not stored where Gmail would not take them: %s', async (name, words) => {
    const { changes } = renderSetting(LabelNames, { labelNames: { large_attachment: 'Large' } });
    const field = await findField('Label for Receipts');
    await userEvent.type(field, `${name}{Enter}`);
    expect((await screen.findByText(new RegExp(words))).id).toBe(field.getAttribute('aria-describedby'));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(changes).toEqual([]);
  });

  it('offer a field for each that was named, and another try when they do not load', async () => {
    const { repair } = renderSetting(LabelNames, { labelNames: { travel_alert: 'Trips' } }, true);
    await screen.findByRole('button', { name: 'Try again' });
    repair();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await findField('Label for Travel')).toHaveProperty('value', 'Trips');
  });

  it('stand in what accepting will do', async () => {
    const plan = { total: 3, counts: [{ action: 'label', count: 3, labels: ['receipt', 'bulk'] }] };
    renderSetting(() => <ConsequenceList consequences={plan} />, { labelNames: { receipt: 'Papers' } });
    expect(await screen.findByText('3 emails get the label Papers, Bulk email.')).toBeTruthy();
  });
});

const findField = async (name: string) => {
  const field = await screen.findByLabelText<HTMLInputElement>(name);
  await waitFor(() => expect(field.disabled).toBe(false));
  return field;
};

/** A setting with an API that stores it. */
const renderSetting = (
  Setting: () => React.ReactNode,
  stored: Partial<Preferences> = {},
  isBroken = false,
) => {
  let preferences: Preferences = {
    ...DEFAULT_PREFERENCES,
    ...stored,
  };
  const changes: unknown[] = [];
  renderAtRoute(Setting, (_url, method, body) => {
    if (isBroken) return toProblem(503, 'overloaded');
    if (method === 'PATCH') {
      const change = body as Pick<Preferences, 'historyRetentionDays' | 'labelNames'>;
      changes.push(change);
      preferences = { ...preferences, ...change };
      preferences.labelNames = Object.fromEntries(
        Object.entries(preferences.labelNames).filter(([, name]) => name !== null),
      );
    }
    return preferences;
  });
  return {
    changes,
    repair: () => {
      isBroken = false;
    },
  };
};
