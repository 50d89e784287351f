import { MlRequestSchema } from '@mailsweep/contracts';
import requestFixture from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { evaluate } from './evaluation.ts';
import type { LabelledEmail } from './labelled-email.ts';

const [EMAIL] = MlRequestSchema.parse(requestFixture);
const label = (id: string, changes: Partial<LabelledEmail>): LabelledEmail => ({
  email: { ...EMAIL, id } as LabelledEmail['email'],
  actions: ['none'],
  ...changes,
});
const suggest = (action: string, classification = 'bulk', confidence_score = 0.9) => ({
  action,
  classification,
  confidence_score,
});

it('takes any of several right actions as right, and the surest suggestion alone', () => {
  const labelled = [
    label('a', { actions: ['archive', 'delete'] }),
    label('b', { actions: ['archive', 'delete'] }),
    label('c', { actions: ['notify'] }),
  ];
  const { actions } = evaluate(
    labelled,
    new Map([
      ['a', [suggest('delete')]],
      ['c', [suggest('archive', 'bulk', 0.2), suggest('notify', 'urgent', 0.7)]],
    ]),
  );
  expect(actions.accuracy).toBe(2 / 3);
  expect(actions.labels.map((one) => [one.label, one.support, one.predicted])).toEqual([
    ['archive', 1, 0],
    ['delete', 1, 1],
    ['none', 0, 1],
    ['notify', 1, 1],
  ]);
});

it('counts false archives and deletes of personal email apart', () => {
  const labelled = [
    label('a', { kind: 'personal' }),
    label('b', { kind: 'personal' }),
    label('c', { kind: 'bank' }),
    label('d', { kind: 'personal', actions: ['archive'] }),
    label('e', {}),
  ];
  const { falseClears } = evaluate(
    labelled,
    new Map([
      ['a', [suggest('archive')]],
      ['b', [suggest('delete')]],
      ['c', [suggest('delete')]],
      ['d', [suggest('archive')]],
      ['e', [suggest('notify')]],
    ]),
  );
  expect(falseClears).toEqual({ personal: { archive: 1, delete: 1 }, other: { archive: 0, delete: 1 } });
});

it('scores classifications by their labels', () => {
  const labelled = [
    label('a', { actions: ['archive'], classification: 'news' }),
    label('b', { actions: ['archive'], classification: 'news' }),
    label('c', { actions: ['archive'], classification: 'offer' }),
    // Not labelled: left out.
    label('d', { actions: ['archive'] }),
  ];
  const { classifications } = evaluate(
    labelled,
    new Map([
      ['a', [suggest('archive', 'news')]],
      ['c', [suggest('archive', 'news')]],
      ['d', [suggest('archive', 'news')]],
    ]),
  );
  expect(classifications).toEqual([
    { label: 'news', precision: 1 / 2, recall: 1 / 2, f1Score: 1 / 2, support: 2, predicted: 2 },
    { label: 'offer', precision: null, recall: 0, f1Score: 0, support: 1, predicted: 0 },
  ]);
});

it('without labels of classifications, scores how often the action of each is right', () => {
  const labelled = [label('a', { actions: ['archive'] }), label('b', {}), label('c', {})];
  const { classifications, calibration } = evaluate(
    labelled,
    new Map([
      ['a', [suggest('archive', 'news', 0.8)]],
      ['b', [suggest('archive', 'news', 0.6)]],
    ]),
  );
  expect(classifications).toEqual([
    { label: 'news', precision: 1 / 2, recall: null, f1Score: null, support: null, predicted: 2 },
  ]);
  // What nothing is suggested for has no confidence.
  expect(calibration.bins.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(calibration.expectedCalibrationError).toBeCloseTo((Math.abs(1 - 0.8) + Math.abs(0 - 0.6)) / 2, 12);
});
