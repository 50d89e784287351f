import { DomainEventSchema } from '@mailsweep/contracts';
import { PermanentFailureError } from '@mailsweep/event-bus';
import { describe, expect, it } from 'vitest';
import { parseJob } from './parse-job.ts';

const EVENT_ID = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6c';

describe('parsing a job', () => {
  it('rejects for good what is not an event, naming the invalid fields without their values', () => {
    const data = {
      type: 'domain.suggestions.generated',
      userId: 7,
      suggestions: [],
      summary: { totalSuggestions: 'canary', actionCounts: { 'canary-key': 'canary' } },
      generatedAt: '2026-06-02T06:00:00.000Z',
    };
    const parse = () => parseJob(DomainEventSchema, { id: EVENT_ID, data });
    expect(parse).toThrowError(PermanentFailureError);
    expect(parse).toThrowError(/userId, summary\.totalSuggestions, summary\.actionCounts/);
    expect(parse).not.toThrowError(/canary/);
  });

  it('rejects a job whose id is not that of an event', () => {
    expect(() => parseJob(DomainEventSchema, { id: '17', data: {} })).toThrowError(/id is not/);
  });
});
