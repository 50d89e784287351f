import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';

/** What JMAP servers take for reading and changing email; `offline_access` for a refresh token (OpenID Connect, section 11). */
const DEFAULT_SCOPES = ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail', 'offline_access'];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Tokens travel there: never in the clear, but for a server on this machine. */
const AddressSchema = z.url({ protocol: /^https?$/, error: 'must be an https address' }).refine((text) => {
  if (!URL.canParse(text)) return true;
  const { protocol, hostname, username, password } = new URL(text);
  return (protocol === 'https:' || LOOPBACK.includes(hostname)) && username + password === '';
}, 'must be an https address');

/** Browsers go there with a click: no `javascript:`. */
const EmailUrlSchema = z
  .string()
  .regex(/^https?:\/\/[^\s{}]+(?:\{(?:emailId|address)\}[^\s{}]*)*$/, 'must be an address with {emailId}')
  .refine((template) => template.includes('{emailId}'), 'must be an address with {emailId}');

const ProviderSchema = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be up to 32 of a-z, 0-9 and -, beginning with a letter')
      .refine((key) => key !== 'gmail', 'must not be gmail'),
    name: z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters'),
    sessionUrl: AddressSchema,
    issuer: AddressSchema.transform((url) => url.replace(/\/$/, '')).optional(),
    clientId: z.string().min(1, 'must not be empty').optional(),
    clientSecret: z.string().min(1, 'must not be empty').optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope of OAuth'))
      .min(1, 'must not be empty')
      .default(DEFAULT_SCOPES),
    trashDays: z.int('must be a number of days').min(1, 'must be 1 at least').optional(),
    emailUrl: EmailUrlSchema.optional(),
    authservId: z.string().min(1, 'must not be empty').max(253).optional(),
    token: z.literal(true, 'must be true or left out').optional(),
  })
  .check(({ value, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: undefined, path: [field], message });
    if (value.token === undefined && value.issuer === undefined)
      refuse('issuer', 'is required without token');
    if (value.issuer !== undefined && value.clientId === undefined) refuse('clientId', 'is required');
    if (value.token === true && value.issuer !== undefined) refuse('token', 'must not be set beside issuer');
  });

/** A JMAP server as the operator configures it: users sign in there by OAuth, or bring a token that they made there. */
export type JmapProviderConfig = z.output<typeof ProviderSchema>;

const EntriesSchema = z.array(z.unknown());

/** JMAP_PROVIDERS: a JSON list. Errors name the entry and the field, and no value: some are secrets. */
export const JmapProvidersSchema = z.string().transform((text, context): JmapProviderConfig[] => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  const entries = EntriesSchema.safeParse(parseJson(text)).data;
  if (entries === undefined) {
    refuse('must be a list in JSON');
    return z.NEVER;
  }
  const results = entries.map((entry) => ProviderSchema.safeParse(entry, { error: describeIssue }));
  for (const [index, { error }] of results.entries())
    for (const { path, message } of error?.issues ?? [])
      refuse(`entry ${index + 1}: ${[...path, message].join(' ')}`);
  const keys = results.map(({ data }) => data?.key);
  for (const [index, key] of keys.entries())
    if (key !== undefined && keys.indexOf(key) !== index)
      refuse(`entry ${index + 1}: key is that of another entry`);
  return results.flatMap(({ data }) => data ?? []);
});

const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`;
  return issue.input === undefined ? 'is required' : 'is malformed';
};
