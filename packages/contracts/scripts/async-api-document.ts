import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '../src/index.ts';
import { toJsonSchema } from './json-schema-documents.ts';

/** What is sent in one message, by the name of its JSON Schema file. */
const MESSAGES = {
  'event-suggestions-generated': {
    schema: contracts.SuggestionsGeneratedEventSchema,
    title: 'Suggestions were generated',
    description:
      'A request for suggestions, or a scan, found some. The newest 100 emails of a scan are named.',
  },
  'event-suggestions-confirmed': {
    schema: contracts.SuggestionsConfirmedEventSchema,
    title: 'Suggestions were accepted or rejected',
    description: 'Names the emails that were really processed; a cleanup publishes one for every 1,000.',
  },
  'webhook-body': {
    schema: contracts.WebhookBodySchema,
    title: 'Suggestions were generated, for the workflow service',
    description: 'Respond with 2xx within 15 seconds. Other responses are retried for a day; 410 ends that.',
  },
  'notification-webhook-body': {
    schema: contracts.NotificationWebhookBodySchema,
    title: 'A notification, for the workflow service',
    description: 'What a user chose to be told by webhook, where the operator forwards notifications.',
  },
  'push-message': {
    schema: contracts.PushMessageSchema,
    title: 'A notification, for a browser',
    description: 'Encrypted for the browser (RFC 8291). A later message with the same `tag` takes its place.',
  },
};
type MessageName = keyof typeof MESSAGES;

const WEBHOOK_HEADERS = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp'],
  properties: {
    'webhook-id': { type: 'string', format: 'uuid', description: 'The same on every retry.' },
    'webhook-timestamp': { type: 'string', description: 'Unix time in seconds.' },
    'webhook-signature': {
      type: 'string',
      description:
        'With a signing secret: `v1,` and the HMAC-SHA256 by Standard Webhooks; two during a rotation, separated by a space.',
    },
  },
};

/** Where messages go. Addresses that only the operator or a browser knows are null. */
const CHANNELS = {
  domainEvents: {
    address: 'domain-events',
    title: 'Domain events',
    description:
      'The queue from the API to the worker (BullMQ, on Redis or Postgres). Deliveries can repeat.',
    messages: ['event-suggestions-generated', 'event-suggestions-confirmed'],
  },
  webhook: {
    address: null,
    title: 'Workflow service',
    description: 'POST requests to `WORKFLOW_WEBHOOK_URL`. Ignore types that you do not know.',
    headers: WEBHOOK_HEADERS,
    messages: ['webhook-body', 'notification-webhook-body'],
  },
  push: {
    address: null,
    title: 'Browsers',
    description: 'Web Push (RFC 8030) to each browser that a user subscribed.',
    messages: ['push-message'],
  },
} satisfies Record<string, { messages: MessageName[]; headers?: object; [field: string]: unknown }>;

const readFixture = (name: string): unknown => {
  const path = join(import.meta.dirname, `../fixtures/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8'));
};
const WITH_FIXTURE: MessageName[] = [
  'event-suggestions-generated',
  'event-suggestions-confirmed',
  'webhook-body',
];

/** An AsyncAPI 3 document of all that leaves Mailsweep unasked: domain events, notifications and webhook calls. */
const createAsyncApiDocument = () => {
  const schemas: Record<string, unknown> = {};
  const messages: Record<string, object> = {};
  for (const [channel, { messages: names, ...rest }] of Object.entries(CHANNELS)) {
    for (const name of names) {
      const { schema, title, description } = MESSAGES[name];
      const { $defs = {}, ...payload } = toJsonSchema(schema, 'output');
      Object.assign(schemas, $defs);
      messages[name] = {
        name,
        title,
        description,
        contentType: 'application/json',
        ...('headers' in rest ? { headers: rest.headers } : {}),
        payload,
        ...(WITH_FIXTURE.includes(name) ? { examples: [{ name: channel, payload: readFixture(name) }] } : {}),
      };
    }
  }
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Mailsweep events',
      version: '1',
      description:
        'What Mailsweep sends unasked: domain events, and what users and the workflow service are told.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      Object.entries(CHANNELS).map(([id, { address, title, description, messages: names }]) => [
        id,
        {
          address,
          title,
          description,
          messages: Object.fromEntries(
            names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
          ),
        },
      ]),
    ),
    operations: Object.fromEntries(
      Object.entries(CHANNELS).map(([id, { title }]) => [
        `send-${id}`,
        { action: 'send', title, channel: { $ref: `#/channels/${id}` } },
      ]),
    ),
    components: { messages, schemas },
  };
};

export const renderAsyncApi = (): string =>
  `${JSON.stringify(createAsyncApiDocument(), null, 2)}\n`.replaceAll('#/$defs/', '#/components/schemas/');
