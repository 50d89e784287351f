import { describe, expect, it } from 'vitest';
import emails from '../fixtures/emails.json' with { type: 'json' };
import confirmedEvent from '../fixtures/event-suggestions-confirmed.json' with { type: 'json' };
import generatedEvent from '../fixtures/event-suggestions-generated.json' with { type: 'json' };
import mlRequest from '../fixtures/ml-request.json' with { type: 'json' };
import mlResponse from '../fixtures/ml-response.json' with { type: 'json' };
import serviceCases from '../fixtures/ml-service-cases.json' with { type: 'json' };
import webhookBody from '../fixtures/webhook-body.json' with { type: 'json' };
import { MlRequestSchema, MlResponseSchema } from './classification-service.ts';
import { buildSuggestionsConfirmed, buildSuggestionsGenerated } from './domain-events.ts';
import { EmailSchema } from './email.ts';
import { ConfirmActionSchema } from './mailbox-action.ts';
import { WebhookBodySchema } from './webhook.ts';

const parsedEmails = emails.map((email) => EmailSchema.parse(email));
const parsedResponse = MlResponseSchema.parse(mlResponse);

describe('the fixtures', () => {
  it('ask about the emails of the fixtures with exactly the seven fields', () => {
    expect(mlRequest).toEqual(
      parsedEmails.map(({ id, from, subject, date, isRead, category, attachmentSizeMb }) => ({
        id,
        from,
        subject,
        date,
        isRead,
        category,
        attachmentSizeMb,
      })),
    );
    expect(MlRequestSchema.parse(mlRequest)).toEqual(mlRequest);
  });

  it('answer for each email asked about, in the order asked', () => {
    expect(parsedResponse.map((item) => item.id)).toEqual(mlRequest.map((item) => item.id));
  });

  it('hold the events that the builders make of these emails and suggestions', () => {
    const classified = parsedEmails.map((email, index) => ({
      ...email,
      suggestions: parsedResponse[index]?.suggestions ?? [],
    }));
    const generatedAt = new Date(generatedEvent.generatedAt);
    expect(
      buildSuggestionsGenerated({ userId: generatedEvent.userId, emails: classified, generatedAt }),
    ).toEqual(generatedEvent);
    expect(
      buildSuggestionsConfirmed({
        userId: confirmedEvent.userId,
        action: ConfirmActionSchema.parse(confirmedEvent.action),
        emailIds: confirmedEvent.emailIds,
        generatedAt: new Date(confirmedEvent.generatedAt),
      }),
    ).toEqual(confirmedEvent);
  });

  it('hold the webhook body of the same event', () => {
    expect(WebhookBodySchema.parse(webhookBody)).toEqual({
      type: generatedEvent.type,
      timestamp: generatedEvent.generatedAt,
      data: { userId: generatedEvent.userId, summary: generatedEvent.summary },
    });
  });

  it('expect of a classification service what the request schema says', () => {
    for (const { name, token, body, status } of serviceCases) {
      const valid = MlRequestSchema.safeParse(body).success;
      expect(status, name).toBe(token !== 'valid' ? 401 : valid ? 200 : 400);
    }
  });
});
