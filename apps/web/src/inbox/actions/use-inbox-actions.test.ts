import type { ItemResult } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from './use-inbox-actions.ts';

const ok = (emailId: string): ItemResult => ({ emailId, status: 'ok' });
const missing = (emailId: string): ItemResult => ({ emailId, status: 'error', reason: 'not_found' });

describe('the outcome in words', () => {
  it('counts what was done', () => {
    expect(describeOutcome('archive', [ok('a')])).toEqual({ title: '1 email archived', detail: '' });
  });

  it('names the failures beside the successes, and why', () => {
    expect(describeOutcome('archive', [ok('a'), ok('b'), missing('c')])).toEqual({
      title: '2 archived · 1 could not be processed',
      detail: '1 not in the mailbox any more',
    });
  });

  it('says which emails were that already, as after another tab', () => {
    const unchanged = (emailId: string): ItemResult => ({ emailId, status: 'ok', unchanged: true });
    expect(describeOutcome('archive', [ok('a'), unchanged('b')])).toEqual({
      title: '1 archived · 1 already archived',
      detail: '',
    });
    expect(describeOutcome('delete', [unchanged('a'), unchanged('b')]).title).toBe(
      '2 emails already in Trash',
    );
  });

  it('does not speak of successes when there was none', () => {
    expect(describeOutcome('delete', [missing('a'), missing('b')]).title).toBe(
      '2 emails could not be processed',
    );
  });
});
