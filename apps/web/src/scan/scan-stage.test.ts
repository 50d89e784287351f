import { describe, expect, it } from 'vitest';
import { sampleScan } from '../testing/sample-email.ts';
import { toScanStage } from './scan-stage.ts';

const NEVER = { complete: false, scannedAt: null };
const LOST = { complete: false, scannedAt: '2026-01-31T09:30:00.000Z' };
const WHOLE = { complete: true, scannedAt: '2026-01-31T09:30:00.000Z' };

describe('what is shown of scans', () => {
  it.each([
    ['nothing was ever scanned', null, NEVER, 'never'],
    ['only the inbox was scanned', { state: 'completed', scope: 'inbox' }, NEVER, 'never'],
    ['one waits', { state: 'waiting' }, WHOLE, 'in-progress'],
    ['the first one was cancelled', { state: 'cancelled' }, NEVER, 'stopped'],
    ['another one was cancelled after a whole one', { state: 'cancelled' }, WHOLE, 'done'],
    ['another one failed after a whole one', { state: 'failed' }, WHOLE, 'stopped'],
    ['the provider has forgotten its history since', { state: 'completed' }, LOST, 'outdated'],
    ['the classification service was away', { state: 'completed', unclassified: 3 }, WHOLE, 'unclassified'],
    ['all was seen', { state: 'completed' }, WHOLE, 'done'],
  ] as const)('when %s', (_when, scan, coverage, stage) => {
    expect(toScanStage(scan && sampleScan(scan), coverage)).toBe(stage);
  });
});
