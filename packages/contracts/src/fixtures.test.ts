import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import emails from '../fixtures/emails.json' with { type: 'json' };
import confirmedEvent from '../fixtures/event-suggestions-confirmed.json' with { type: 'json' };
import generatedEvent from '../fixtures/event-suggestions-generated.json' with { type: 'json' };
import keptEmailPage from '../fixtures/kept-email-page.json' with { type: 'json' };
import mlRequest from '../fixtures/ml-request.json' with { type: 'json' };
import mlResponse from '../fixtures/ml-response.json' with { type: 'json' };
import serviceCases from '../fixtures/ml-service-cases.json' with { type: 'json' };
import scanPage from '../fixtures/scan-page.json' with { type: 'json' };
import senderPage from '../fixtures/sender-page.json' with { type: 'json' };
import storedSuggestionPage from '../fixtures/stored-suggestion-page.json' with { type: 'json' };
import webhookBody from '../fixtures/webhook-body.json' with { type: 'json' };
import { EmailSchema } from './emails/email.ts';
import {
  buildSuggestionsConfirmed,
  buildSuggestionsGenerated,
  SuggestionsConfirmedEventSchema,
  SuggestionsGeneratedEventSchema,
} from './history/domain-events.ts';
import { ConfirmActionSchema } from './history/recorded-action.ts';
import { WebhookBodySchema } from './history/webhook.ts';
import { ListScansResponseSchema, ScanStateSchema } from './scans/scan.ts';
import {
  ListSenderEmailsResponseSchema,
  ListSendersResponseSchema,
  ListStoredSuggestionsResponseSchema,
} from './senders/sender.ts';
import { MlRequestSchema, MlResponseSchema } from './suggestions/classification-service.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** What each file holds; undefined where it is made to fit no schema of ours, or is no message. */
const SCHEMAS: Record<string, z.ZodType | undefined> = {
  'emails.json': z.array(EmailSchema),
  'event-suggestions-confirmed.json': SuggestionsConfirmedEventSchema,
  'event-suggestions-generated.json': SuggestionsGeneratedEventSchema,
  'kept-email-page.json': ListSenderEmailsResponseSchema,
  'ml-request.json': MlRequestSchema,
  'ml-response-malformed.json': undefined,
  'ml-response-map.json': undefined,
  'ml-response-suggestions-by-id.json': undefined,
  'ml-response.json': MlResponseSchema,
  'ml-service-cases.json': undefined,
  'scan-page.json': ListScansResponseSchema,
  'sender-page.json': ListSendersResponseSchema,
  'stored-suggestion-page.json': ListStoredSuggestionsResponseSchema,
  'webhook-body.json': WebhookBodySchema,
};

const parsedEmails = emails.map((email) => EmailSchema.parse(email));
const parsedResponse = MlResponseSchema.parse(mlResponse);

describe('the fixtures', () => {
  it.each(readdirSync(FIXTURES))('hold exactly what the schema says: %s', (name) => {
    expect(SCHEMAS).toHaveProperty([name]);
    const fixture: unknown = JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8'));
    expect(SCHEMAS[name]?.parse(fixture) ?? fixture).toEqual(fixture);
  });

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

  it('have a result for each email asked about, in the order asked', () => {
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

  it('show a scan in each state, newest first, with an end where it has one and a reason where it stands', () => {
    expect(scanPage.data.map(({ state }) => state).toSorted()).toEqual(ScanStateSchema.options.toSorted());
    expect(scanPage.data.map(({ id }) => id)).toEqual(
      scanPage.data.map(({ id }) => id).toSorted((one, other) => other.localeCompare(one)),
    );
    for (const { state, finishedAt, error } of scanPage.data) {
      expect(finishedAt !== null, state).toBe(['completed', 'failed', 'cancelled'].includes(state));
      expect(error !== null, state).toBe(['failed', 'waiting'].includes(state));
    }
  });

  it('count in the overview of senders the emails of the fixtures, and what is suggested for them', () => {
    const suggestionsOf = new Map(parsedResponse.map((item) => [item.id, item.suggestions]));
    const kept = emails
      .map((email) => ({ ...email, suggestions: suggestionsOf.get(email.id) ?? [], protection: null }))
      .toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date));

    expect(storedSuggestionPage.data).toEqual(kept.filter(({ suggestions }) => suggestions.length > 0));
    expect(kept).toEqual(expect.arrayContaining(keptEmailPage.data));
    expect(senderPage.data.map(({ id: _id, unsubscribe: _unsubscribe, ...sender }) => sender)).toEqual(
      kept
        .toSorted((one, other) => other.size - one.size)
        .map(({ from, isRead, labels, size, date, suggestions }) => ({
          from,
          mails: 1,
          inInbox: labels.includes('INBOX') ? 1 : 0,
          unread: isRead ? 0 : 1,
          bytes: size,
          lastSeen: new Date(date).toISOString(),
          lastRead: isRead ? new Date(date).toISOString() : null,
          suggested: suggestions.length > 0 ? 1 : 0,
          protected: false,
        })),
    );
    for (const { total, data } of [storedSuggestionPage, keptEmailPage, senderPage, scanPage])
      expect(data).toHaveLength(total);
  });
});
