import { DEFAULT_PREFERENCES, mergeTrainingData, type Preferences } from '@mailsweep/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { TrainingDataSettings } from './training-data-settings.tsx';

const SWITCH = 'Give my decisions as training data';

describe('the settings of training data', () => {
  it('are off, say what leaves and who gets it, and change only what the user chooses', async () => {
    const { changes } = renderSettings();
    const control = await findSwitch();
    expect(control.checked).toBe(false);
    expect(screen.getByText(/^The operator of this Mailsweep gets what you accept and reject/)).toBeTruthy();
    expect(screen.getByLabelText('Domain only')).toHaveProperty('checked', true);
    expect(screen.getByLabelText('Left out')).toHaveProperty('checked', true);
    expect(changes).toEqual([]);

    await userEvent.click(control);
    await userEvent.click(screen.getByLabelText('Name and address'));
    await userEvent.click(screen.getByLabelText('Whole subject'));
    await waitFor(() =>
      expect(changes).toEqual([
        { trainingData: { enabled: true } },
        { trainingData: { sender: 'kept' } },
        { trainingData: { subject: 'kept' } },
      ]),
    );
    expect(control.checked).toBe(true);
    expect(screen.getByLabelText('Name and address')).toHaveProperty('checked', true);

    await userEvent.click(control);
    await waitFor(() => expect(changes.slice(3)).toEqual([{ trainingData: { enabled: false } }]));
    expect(control.checked).toBe(false);
  });

  it('go back when the API does not take the choice', async () => {
    const { refuse } = renderSettings();
    const control = await findSwitch();
    refuse();
    await userEvent.click(control);
    await screen.findByText('Your choice was not saved');
    expect(control.checked).toBe(false);
  });
});

const findSwitch = async () => {
  const control = await screen.findByRole<HTMLInputElement>('switch', { name: SWITCH });
  await waitFor(() => expect(control.disabled).toBe(false));
  return control;
};

const renderSettings = () => {
  let trainingData = DEFAULT_PREFERENCES.trainingData;
  let isRefusing = false;
  const changes: unknown[] = [];
  renderAtRoute(TrainingDataSettings, (_url, method, body) => {
    if (method === 'PATCH') {
      if (isRefusing) return toProblem(503, 'overloaded');
      changes.push(body);
      trainingData = mergeTrainingData(
        trainingData,
        (body as Pick<Preferences, 'trainingData'>).trainingData,
      );
    }
    return { ...DEFAULT_PREFERENCES, trainingData };
  });
  return {
    changes,
    refuse: () => {
      isRefusing = true;
    },
  };
};
