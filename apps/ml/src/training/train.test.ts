import { parseLabelledEmails } from '@mailsweep/ml-evaluation';
import { readLabelledSet } from '@mailsweep/ml-evaluation/labelled-set';
import { expect, it } from 'vitest';
import { toEmailFeatures } from '../classifier/features.ts';
import { predict } from '../classifier/model.ts';
import { findTopics } from '../classifier/topics.ts';
import { train } from './train.ts';

const now = new Date('2026-06-02T12:00:00.000Z');
const training = readLabelledSet(now, 'training').filter((_, index) => index % 20 === 0);

it('makes the same model of the same emails, and another with decisions of users', () => {
  const model = train(training, now);
  expect(train(training, now)).toEqual(model);

  const email = {
    id: '1'.repeat(64),
    from: 'letters.example',
    subject: 'Zwirbelbrief',
    date: '2026-01-05T08:00:00.000Z',
    isRead: false,
    category: 'updates' as const,
    attachmentSizeMb: 0,
  };
  const line = JSON.stringify({
    user: 'a'.repeat(64),
    email,
    reductions: { sender: 'domain', subject: 'kept' },
    suggestion: { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
    accepted: true,
    decidedAt: '2026-02-01T10:00:00.000Z',
  });
  const taught = train([...training, ...parseLabelledEmails(line)], now);
  const toUseless = (one: typeof model): number => {
    const { bulk, notice } = predict(toEmailFeatures(email, findTopics(email.subject)), one);
    return bulk + notice;
  };
  expect(toUseless(taught)).toBeGreaterThan(toUseless(model));
});
