import { PROBLEM_KINDS } from '@mailsweep/contracts';

interface Schema {
  $ref?: string;
  description?: string;
  const?: unknown;
  type?: unknown;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

interface Document {
  components?: { schemas?: Record<string, unknown> };
  paths?: object;
  webhooks?: object;
}

/** What fields and parameters mean that their own schemas do not describe: by name, or by name and what they belong to. */
const MEANINGS: Record<string, string> = {
  accepted: 'How many suggestions were accepted.',
  access_token: 'A personal access token: send it as `Authorization: Bearer`.',
  action: 'What is done to the emails.',
  'StoppedSuggestion.action': 'The action that is no longer suggested.',
  actionCounts: 'How many suggestions there are of each action.',
  actions: 'Actions, of which an email has one.',
  'lastRun.actions': 'How many emails the last run changed.',
  added: 'Labels that the email got.',
  age: 'How old the emails are.',
  agreed: 'With how many of them the user agreed.',
  alert: 'About a new email with a `notify` suggestion.',
  alternative: 'Another name, which the provider may take.',
  archive: 'How many emails archiving would take.',
  at: 'When it happened, in UTC.',
  attention: 'About what needs the user, such as a mailbox connection that has ended.',
  auth: 'The authentication secret, in base64url.',
  authorization_endpoint: 'Where to send the user’s browser.',
  browser: 'Browser and system, as the client named them.',
  by: 'What the group has in common, or what is counted by.',
  calls: 'How many requests were sent.',
  category: 'The category of the email, such as `promotions`.',
  check: 'How many are uncertain.',
  classification: 'What kind of email it is, such as `newsletter`.',
  classificationCounts: 'How many suggestions there are of each classification.',
  classifications: 'Kinds of email, such as `newsletter`.',
  classified: 'Whether the classification service responded.',
  cleanupId: 'The cleanup that carried it out.',
  code: 'What went wrong, for programs to branch on. Later versions have more codes.',
  condition: 'Which emails it concerns.',
  confidence_score: 'How sure the service is, from 0 to 1.',
  confirm: 'The address of the user’s own account.',
  confirmedActions: 'How many confirmations there were of each action.',
  connection: 'Whether the mailbox can be reached.',
  content: 'What the notification is about.',
  count: 'How many senders there are.',
  countedAt: 'When it was counted, in UTC.',
  createdAt: 'When it was made, in UTC.',
  data: 'What was found.',
  date: 'When the provider received the email, in UTC.',
  day: 'The day, as `2026-01-31`.',
  decided: 'About how many the user has decided.',
  delete: 'How many emails deleting would take.',
  detail: 'What went wrong this time, in English, for people.',
  details: 'How it was done.',
  digest: 'About what happened since the last one.',
  email: 'The address of the mailbox.',
  emailId: 'The id of the email.',
  emailIds: 'Ids of emails.',
  emails: 'The emails.',
  'SuggestionGroup.emails': 'How many emails the group has.',
  'top.emails': 'How many emails of the sender.',
  'cleaned.emails': 'How many emails were cleaned up.',
  error: 'Why it failed; null while it has not.',
  errors: 'The fields that are not valid.',
  error_description: 'What went wrong, in English, for developers.',
  every: 'How often.',
  everyMinutes: 'Minutes between two checks.',
  execution: 'Whether all, some or none of the emails succeeded.',
  expirationTime: 'When the browser ends the subscription, in milliseconds since 1970; null: never.',
  expires_in: 'Seconds until it ends.',
  expiresInDays: 'Days until the token ends.',
  exportedAt: 'When the export began, in UTC.',
  failed: 'How many failed.',
  finishedAt: 'When it ended, in UTC; null until then.',
  from: 'The author, as `Name <address>`.',
  'quietHours.from': 'When they begin, as `22:00`.',
  gmailResponse: 'What the mail provider did.',
  grant_type: 'What is exchanged.',
  hasAttachment: 'Whether a file is attached.',
  high: 'The upper end of the 95% interval, from 0 to 1.',
  id: 'The id, as lists have it.',
  ids: 'Ids of history records.',
  inInbox: 'How many of them are in the inbox.',
  inbox: 'The inbox.',
  instance: 'The path of the request.',
  isRead: 'Whether it is read.',
  issuer: 'The origin of the API.',
  keepNewest: 'How many of the newest emails stay as they are.',
  keys: 'What messages to the browser are encrypted with.',
  kind: 'How it is spoken to.',
  label: 'The name of the label.',
  'takes.label': 'How many emails labelling would take.',
  labelChange: 'Labels that changed.',
  labels: 'The labels of the email at the provider.',
  language: 'The language of messages.',
  last30Days: 'Of the last 30 days.',
  lastSeen: 'When the newest email came, in UTC.',
  leastConfidence: 'The lowest confidence in the group, from 0 to 1.',
  likely: 'How many are likely to be accepted.',
  mailbox: 'What can be done with the mailbox.',
  mails: 'How many emails came from the sender.',
  mark_read: 'How many emails marking as read would take.',
  message: 'What is wrong with it.',
  minAcceptance: 'The least probability of acceptance, from 0 to 1.',
  minAttachmentSize: 'The least size of all attachments, in MB.',
  minConfidence: 'The least confidence of the service, from 0 to 1.',
  mostConfidence: 'The highest confidence in the group, from 0 to 1.',
  name: 'What it is called.',
  nextPageToken: 'Leads to the next page as `pageToken`; null on the last one.',
  note: 'What else there is to know.',
  notifications: 'What the user is told of, and where.',
  olderThan: 'The least age of the emails, in days.',
  outcome: 'What became of the email.',
  p256dh: 'The public key of the browser, in base64url.',
  page: 'The number of the page, from 1.',
  pageSize: 'How many emails a page has at most.',
  path: 'The field, with dots between levels.',
  pausedAt: 'When it paused itself, in UTC; null while it has not.',
  period: 'The time that is looked at.',
  perPage: 'How many there are on a page at most.',
  processed: 'How many succeeded.',
  provider: 'The mail provider.',
  reason: 'Why it failed.',
  refresh_token: 'What gives new tokens, once; only for programs that renew theirs.',
  rejected: 'How many suggestions were rejected.',
  removed: 'Labels that the email lost.',
  requestId: 'The id of the request in the operator’s log.',
  requiresConfirmation: 'Whether the user confirms what the token changes.',
  results: 'One for each email.',
  revocation_endpoint: 'Where to end a token.',
  sampledEmails: 'Some of the emails, newest first.',
  scope: 'How far it goes.',
  search: 'Words and operators to search for.',
  sender: 'The sender.',
  senders: 'The senders.',
  since: 'From when on it is counted, in UTC.',
  snippet: 'The first words of the email.',
  source: 'Where the action was chosen.',
  start: 'The first day of the span.',
  startedAt: 'When it began, in UTC; null until then.',
  state: 'How far it is.',
  status: 'The status of the response.',
  subject: 'The subject of the email.',
  success: 'Whether the request was carried out.',
  suggestedActions: 'How many suggestions there were of each action.',
  suggestions: 'What is suggested, the best first.',
  summary: 'How many there were.',
  sure: 'How many are nearly certain to be accepted.',
  threadId: 'The id of the conversation.',
  timestamp: 'When it was done, in UTC.',
  title: 'What the status means, in English.',
  to: 'When they end, as `07:00`.',
  token: 'The token that the user made at the provider.',
  token_endpoint: 'Where to exchange a code.',
  token_type: 'How to send the token.',
  total: 'How many there are altogether.',
  totalConfirmed: 'How many emails were confirmed.',
  totalEvents: 'How many events there were.',
  totalSuggestions: 'How many suggestions there were.',
  trainingData: 'What of the user’s decisions the operator may export.',
  type: 'The address of the explanation.',
  'query.type': 'Events of this type alone.',
  'NotificationEventRecord.type': 'What happened.',
  undone: 'How many were undone.',
  undoneAt: 'When it was undone, in UTC; null until then.',
  unread: 'Unread email alone, or how much there is of it.',
  updatedAt: 'When it last changed, in UTC.',
  userId: 'The id of the user.',
  watch: 'Checks for new email.',
  windowEnd: 'The end of the time that is looked at, in UTC.',
  windowStart: 'The start of the time that is looked at, in UTC.',
};

const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Describes every field and parameter that its schema does not describe, and lists the codes of problems. */
export const describeFields = <T extends Document>(document: T): T => {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  /** Whether readers learn what it means: here, or where all its variants are described. */
  const isDescribed = (schema: Schema): boolean => {
    if (schema.description !== undefined || schema.const !== undefined) return true;
    if (schema.$ref !== undefined) return isDescribed(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    return VARIANTS.some((keyword) => {
      const variants = ((schema[keyword] ?? []) as Schema[]).filter(({ type }) => type !== 'null');
      return variants.length > 0 && variants.every(isDescribed);
    });
  };
  const describe = (name: string, owner: string, schema: Schema): void => {
    const meaning = MEANINGS[`${owner}.${name}`] ?? MEANINGS[name];
    if (meaning !== undefined && !isDescribed(schema)) schema.description = meaning;
  };
  const visit = (value: unknown, owner: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties, in: place, name, schema } = value as Schema;
    if (typeof place === 'string' && typeof schema === 'object' && !isDescribed(value as Schema))
      describe(String(name), place, value as Schema);
    for (const [field, of] of Object.entries(properties ?? {})) describe(field, owner, of);
    for (const [key, child] of Object.entries(value)) {
      // Examples are values, no schemas.
      if (key === 'example' || key === 'examples') continue;
      if (key === 'properties') for (const [field, of] of Object.entries(properties ?? {})) visit(of, field);
      else visit(child, owner);
    }
  };
  for (const [id, schema] of Object.entries(schemas)) visit(schema, id);
  visit(document.paths, '');
  visit(document.webhooks, '');
  const code = schemas.Problem?.properties?.code;
  if (code) {
    const { type, pattern } = code;
    // Clients must expect others.
    Object.assign(code, {
      anyOf: [
        { type, enum: Object.keys(PROBLEM_KINDS) },
        { type, pattern },
      ],
    });
    delete code.type;
    delete code.pattern;
  }
  return document;
};
