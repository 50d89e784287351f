import { z } from 'zod';
import type { Direction } from '../compatibility/index.ts';
import * as contracts from '../src/index.ts';

/**
 * The schemas that get a JSON Schema file, by file name. `input` schemas describe what a server takes and refuse
 * unknown fields where the server does; `output` schemas describe what a server sends and let fields be added.
 */
export const PUBLISHED_SCHEMAS: Record<'input' | 'output', Record<string, z.ZodType>> = {
  input: {
    'ml-request': contracts.MlRequestSchema,
    'inbox-action-request': contracts.InboxActionRequestSchema,
    'confirm-request': contracts.ConfirmRequestSchema,
    'undo-request': contracts.UndoRequestSchema,
    'start-scan-request': contracts.StartScanRequestSchema,
    'update-preferences-request': contracts.UpdatePreferencesRequestSchema,
    'subscribe-to-push-request': contracts.SubscribeToPushRequestSchema,
  },
  output: {
    'ml-response': contracts.MlResponseSchema,
    'event-suggestions-generated': contracts.SuggestionsGeneratedEventSchema,
    'event-suggestions-confirmed': contracts.SuggestionsConfirmedEventSchema,
    'webhook-body': contracts.WebhookBodySchema,
    'notification-webhook-body': contracts.NotificationWebhookBodySchema,
    'push-message': contracts.PushMessageSchema,
    problem: contracts.ProblemSchema,
    email: contracts.EmailSchema,
    suggestion: contracts.SuggestionSchema,
    'email-with-suggestions': contracts.EmailWithSuggestionsSchema,
    'unclassified-email': contracts.UnclassifiedEmailSchema,
    'action-history-record': contracts.ActionHistoryRecordSchema,
    'notification-event-record': contracts.NotificationEventRecordSchema,
    'notification-summary': contracts.NotificationSummarySchema,
    activity: contracts.ActivitySchema,
    me: contracts.MeSchema,
    preferences: contracts.PreferencesSchema,
    'training-decision': contracts.TrainingDecisionSchema,
    watch: contracts.WatchSchema,
    'list-emails-response': contracts.ListEmailsResponseSchema,
    'mailbox-overview': contracts.MailboxOverviewSchema,
    conversation: contracts.ConversationSchema,
    'list-suggestions-response': contracts.ListSuggestionsResponseSchema,
    'inbox-action-response': contracts.InboxActionResponseSchema,
    'confirm-response': contracts.ConfirmResponseSchema,
    'undo-response': contracts.UndoResponseSchema,
    scan: contracts.ScanSchema,
    'scan-page': contracts.ListScansResponseSchema,
    'sender-page': contracts.ListSendersResponseSchema,
    'kept-email-page': contracts.ListSenderEmailsResponseSchema,
    'stored-suggestion-page': contracts.ListStoredSuggestionsResponseSchema,
    'suggestion-group-page': contracts.ListSuggestionGroupsResponseSchema,
    'action-history-page': contracts.ListActionHistoryResponseSchema,
    'action-batch': contracts.ActionBatchSchema,
    'action-batch-page': contracts.ListActionBatchesResponseSchema,
    'batch-sender-page': contracts.ListBatchSendersResponseSchema,
    'notification-event-page': contracts.ListNotificationEventsResponseSchema,
  },
};

/** What goes to the classification service and comes from it: there, the service is the server. */
const OF_CLASSIFICATION: Record<string, Direction> = {
  // It refuses an email that does not fit (ML-CONTRACT, request-invalid).
  'ml-request': 'strict response',
  'ml-response': 'request',
};

/** Which way the messages of a JSON Schema file go, seen by those who use the package. */
export const directionOf = (name: string): Direction =>
  OF_CLASSIFICATION[name] ?? (Object.hasOwn(PUBLISHED_SCHEMAS.input, name) ? 'request' : 'response');

/** A schema by itself: what it refers to is in `$defs`. */
export const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const {
    $schema: _,
    id: _internalId,
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // The keyword of OpenAPI 3.0; JSON Schema knows only the plural.
      if ('example' in jsonSchema) {
        jsonSchema.examples = [jsonSchema.example];
        delete jsonSchema.example;
      }
    },
  });
  return rest;
};

const toDocument = (name: string, schema: z.ZodType, io: 'input' | 'output') => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:mailsweep:contracts:v1:${name}`,
  ...toJsonSchema(schema, io),
});

/** The text of every JSON Schema file (draft 2020-12) by its name. */
export const renderJsonSchemaFiles = (): Map<string, string> => {
  const files = new Map<string, string>();
  for (const io of ['input', 'output'] as const) {
    for (const [name, schema] of Object.entries(PUBLISHED_SCHEMAS[io])) {
      files.set(`${name}.json`, `${JSON.stringify(toDocument(name, schema, io), null, 2)}\n`);
    }
  }
  return files;
};
