import type { Scan } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { sampleScan } from '../testing/sample-email.ts';
import {
  describeDuration,
  describeEnd,
  describeProgress,
  describeStop,
  estimateSecondsLeft,
} from './scan-words.ts';

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

describe('the time left', () => {
  const after = (seconds: number, change: Partial<Scan>) =>
    sampleScan({
      state: 'running',
      total: 1_472,
      startedAt: '2026-01-31T09:00:00.000Z',
      updatedAt: new Date(Date.parse('2026-01-31T09:00:00.000Z') + seconds * 1_000).toISOString(),
      ...change,
    });

  it('follows the quota in the first minute, whatever the pace is so far', () => {
    const scan = after(3, { scanned: 103, unitsUsed: 515 });
    expect(describeProgress(scan).detail).toBe('103 of about 1,472 emails · about 5 minutes left');
  });

  it('is short for a scan that takes little quota, as most is cached', () => {
    expect(estimateSecondsLeft(after(1, { scanned: 1_000, unitsUsed: 25 }))).toBeLessThan(1);
  });

  it('follows the pace after the first minute', () => {
    expect(estimateSecondsLeft(after(180, { scanned: 900, unitsUsed: 1 }))).toBeCloseTo(114.4);
  });

  it('is not known before the first emails, nor beyond the total', () => {
    expect(estimateSecondsLeft(after(1, { scanned: 0 }))).toBeNull();
    expect(estimateSecondsLeft(after(90, { scanned: 1_480 }))).toBeNull();
  });
});

describe('a scan', () => {
  it('shows how far it is, and how long it takes as soon as that is known', () => {
    const scan = sampleScan({
      state: 'running',
      scanned: 1_200,
      total: 10_000,
      startedAt: '2026-01-31T09:00:00.000Z',
      updatedAt: '2026-01-31T09:04:30.000Z',
    });
    expect(describeProgress(scan).detail).toBe('1,200 of about 10,000 emails · about 33 minutes left');
    expect(describeProgress({ ...scan, startedAt: null }).detail).toBe('1,200 of about 10,000 emails');
    expect(describeProgress(sampleScan({ state: 'queued' })).detail).toBe('Getting ready…');
  });

  it('names no total where none is known', () => {
    expect(
      describeProgress(sampleScan({ state: 'running', scanned: 300, total: 0, etaSeconds: null })).detail,
    ).toBe('300 emails');
  });

  it('names what it waits for', () => {
    const titles = (['rate_limited', 'mailbox_unavailable', 'classification_unavailable', null] as const).map(
      (error) => describeProgress(sampleScan({ state: 'waiting', error })).title,
    );
    expect(titles).toEqual([
      'Waiting for Gmail’s quota',
      'Waiting for Gmail',
      'Waiting for suggestions',
      'Waiting for Gmail',
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
      'Google wants you to renew the connection to your mailbox. Nothing was changed. You can start another one.',
    );
    expect(describeStop(sampleScan({ state: 'cancelled', scanned: 300, total: 1_500 }))).toEqual({
      title: 'You stopped the scan',
      detail:
        'It got to 300 of about 1,500 emails. What it found is kept, so that another scan is quick until there.',
    });
  });
});
