import {
  buildSuggestionsConfirmed,
  buildSuggestionsGenerated,
  type SuggestionsConfirmedEvent,
  type SuggestionsGeneratedEvent,
} from '@mailsweep/contracts';

const GENERATED_AT = new Date('2026-06-02T06:00:00.000Z');
const USER_ID = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';

/** Lifelike events for tests; the subject is one that no log may ever show. */
export const domainEvents = {
  generated: (input: { userId?: string; subject?: string } = {}): SuggestionsGeneratedEvent =>
    buildSuggestionsGenerated({
      userId: input.userId ?? USER_ID,
      emails: [
        {
          id: 'mail-1',
          subject: input.subject ?? 'canary-subject',
          suggestions: [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }],
        },
      ],
      generatedAt: GENERATED_AT,
    }),
  confirmed: (input: { userId?: string } = {}): SuggestionsConfirmedEvent =>
    buildSuggestionsConfirmed({
      userId: input.userId ?? USER_ID,
      action: 'accept',
      emailIds: ['mail-1', 'mail-2'],
      generatedAt: GENERATED_AT,
    }),
};
