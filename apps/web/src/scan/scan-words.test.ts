import { describe, expect, it } from 'vitest';
import { sampleScan } from '../testing/sample-email.ts';
import { describeDuration, describeEnd, describeProgress, describeStop } from './scan-words.ts';

describe('the time a scan takes', () => {
  it.each([
    [0, 'less than a minute'],
    [59, 'less than a minute'],
    [60, 'about a minute'],
    [89, 'about a minute'],
    [720, 'about 12 minutes'],
    [3_580, 'about 1 h'],
    [4_730, 'about 1 h 20 min'],
    [7_200, 'about 2 h'],
  ])('of %i seconds is shown as "%s"', (seconds, words) => {
    expect(describeDuration(seconds)).toBe(words);
  });
});

describe('a scan', () => {
  it('shows how far it is, and how long it takes as soon as that is known', () => {
    const scan = sampleScan({ state: 'running', scanned: 1_200, total: 10_000, etaSeconds: 1_980 });
    expect(describeProgress(scan)).toEqual({
      title: 'Mailsweep is now reading the rest of your mailbox: about 33 minutes',
      detail: '1,200 of about 10,000 emails · You can go on meanwhile.',
    });
    expect(describeProgress({ ...scan, etaSeconds: null }).title).toBe(
      'Mailsweep is now reading the rest of your mailbox',
    );
    expect(describeProgress(sampleScan({ state: 'queued' })).detail).toBe(
      'Getting ready… · You can go on meanwhile.',
    );
  });

  it('names no total where none is known', () => {
    expect(
      describeProgress(sampleScan({ state: 'running', scanned: 300, total: 0, etaSeconds: null })).detail,
    ).toBe('300 emails · You can go on meanwhile.');
  });

  it('names what it waits for', () => {
    const titles = (['rate_limited', 'mailbox_unavailable', 'classification_unavailable', null] as const).map(
      (error) => describeProgress(sampleScan({ state: 'waiting', error })).title,
    );
    expect(titles).toEqual([
      'Waiting for your mail provider’s quota',
      'Waiting for your mail provider',
      'Waiting for suggestions',
      'Waiting for your mail provider',
    ]);
  });

  it('sums up what it found', () => {
    const scan = sampleScan({ state: 'completed', scanned: 1_472, total: 1_472, suggested: 1_111 });
    expect(describeEnd(scan)).toEqual({
      title: 'Your whole mailbox is scanned',
      detail: '1,472 emails scanned.',
    });
  });

  it('says why it ended, and what of it is kept', () => {
    expect(describeStop(sampleScan({ state: 'failed', error: 'reauth_required' })).detail).toBe(
      'Your mail provider wants you to renew the connection to your mailbox. Nothing was changed. You can start another one.',
    );
    expect(describeStop(sampleScan({ state: 'cancelled', scanned: 300, total: 1_500 }))).toEqual({
      title: 'You stopped the scan',
      detail:
        'It got to 300 of about 1,500 emails. What it found is kept, so that another scan is quick until there.',
    });
  });
});
