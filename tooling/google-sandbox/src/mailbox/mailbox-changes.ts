import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { writeFileAtomically } from '@mailsweep/service-kit';
import { z } from 'zod';
import type { MailboxSeed } from './mailbox-seed.ts';

const HistoryMessageSchema = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()),
});
const LabelEventSchema = z.object({ message: HistoryMessageSchema, labelIds: z.array(z.string()) });
const MessageEventSchema = z.object({ message: HistoryMessageSchema });

/** A record of the history as a client sees it, but for its id. */
const RecordContentSchema = z.object({
  messages: z.array(HistoryMessageSchema),
  messagesAdded: z.array(MessageEventSchema).default([]),
  messagesDeleted: z.array(MessageEventSchema).default([]),
  labelsAdded: z.array(LabelEventSchema).default([]),
  labelsRemoved: z.array(LabelEventSchema).default([]),
});
export type RecordContent = z.infer<typeof RecordContentSchema>;

/** A message as it came: its MIME text as base64url (RFC 2045). */
const ArrivedMessageSchema = z.object({
  user_email: z.string(),
  thread_id: z.string(),
  internal_date: z.string(),
  raw: z.string(),
});
export type ArrivedMessage = z.infer<typeof ArrivedMessageSchema>;

/** How long the history goes back; about as long as Gmail's (Gmail API guide, "Synchronize clients"). */
export const HISTORY_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** Bytes appended to the file before it is rewritten without outdated entries. */
const MAX_APPENDED_CHARACTERS = 32 * 1024 * 1024;

/** How a message is set aside: only a search tells (gauteh/lieer#291; Gmail help, "Refine searches in Gmail"). */
export const SetAsideSchema = z.enum(['snoozed', 'scheduled']);
export type SetAside = z.infer<typeof SetAsideSchema>;

const byKey = <T extends z.ZodType>(value: T) => z.record(z.string(), value).default({});
const NoteSchema = z.object({
  /** Present labels of each message that was changed; null when it was deleted for good. */
  labelsByMessage: byKey(z.array(z.string()).nullable()),
  /** Labels that users made, by mail address. */
  labelsByPerson: byKey(z.array(z.object({ id: z.string(), name: z.string() }))),
  /** Messages that came after the seed, by id. */
  arrived: byKey(ArrivedMessageSchema),
  /** The history id of each message that was changed. */
  historyIds: byKey(z.string()),
  /** Where the history of each mailbox began, and where it stands, by mail address. */
  histories: byKey(z.object({ beganId: z.string(), lastId: z.string(), seededUntilMs: z.number() })),
  /** What clients see of the history, by mail address and id. */
  records: byKey(
    z.object({ email: z.string(), id: z.string(), visibleAtMs: z.number(), content: RecordContentSchema }),
  ),
  /** Scopes that users allowed programs. */
  consents: byKey(z.array(z.string())),
  revokedGrants: byKey(z.literal(true)),
  /** Messages that are snoozed or wait to be sent, which no response shows, by id; null where that is over. */
  setAside: byKey(SetAsideSchema.nullable()),
});
const ChangesSchema = NoteSchema.extend({
  /** When the mailboxes were first filled, in milliseconds since 1970; all dates of mail hang on it. */
  seededAtMs: z.number(),
});
type Changes = z.infer<typeof ChangesSchema>;
/** What one call changed: entries that take the place of earlier ones with the same key. */
export type Note = Partial<z.infer<typeof NoteSchema>>;

const apply = (changes: Changes, note: Note): void => {
  for (const name of Object.keys(note) as (keyof Note)[]) Object.assign(changes[name], note[name]);
};

/** A snapshot, and a line for each note after it. A kill may have cut off the last line, which no client has heard of. */
const readChanges = (file: string | undefined, nowMs: number): Changes => {
  if (file === undefined || !existsSync(file)) return ChangesSchema.parse({ seededAtMs: nowMs });
  const [snapshot = '', ...lines] = readFileSync(file, 'utf8').split('\n');
  const changes = ChangesSchema.parse(JSON.parse(snapshot));
  for (const line of lines.slice(0, -1)) apply(changes, NoteSchema.parse(JSON.parse(line)));
  return changes;
};

/**
 * Stores in a file what happened in the mailboxes and what users allowed, so that a restart finds everything as it was. The
 * file is written before the response is sent.
 *
 * @param file - undefined stores the changes in memory
 */
export const openMailboxChanges = (file: string | undefined, nowMs: () => number) => {
  const changes = readChanges(file, nowMs());
  let appended = 0;
  const rewrite = (): void => {
    const oldestMs = nowMs() - HISTORY_KEPT_MS;
    for (const [key, { visibleAtMs }] of Object.entries(changes.records))
      if (visibleAtMs < oldestMs) delete changes.records[key];
    if (file !== undefined) writeFileAtomically(file, `${JSON.stringify(changes)}\n`);
    appended = 0;
  };
  rewrite();
  return {
    /** Everything that was noted; read at each use, for it changes. */
    now: changes as Readonly<Changes>,
    /** The mailbox as users left it. */
    applyTo: (seed: MailboxSeed): MailboxSeed => ({
      ...seed,
      labels: changes.labelsByPerson[seed.user.email] ?? seed.labels,
      messages: seed.messages.flatMap((message) => {
        const labels = changes.labelsByMessage[message.id];
        return labels === null ? [] : [{ ...message, labels: labels ?? message.labels }];
      }),
      arrived: Object.entries(changes.arrived).flatMap(([id, message]) => {
        const labels = changes.labelsByMessage[id];
        return labels && message.user_email === seed.user.email
          ? [{ ...message, id, label_ids: labels }]
          : [];
      }),
    }),
    note(note: Note): void {
      apply(changes, note);
      const line = `${JSON.stringify(note)}\n`;
      appended += line.length;
      if (appended > MAX_APPENDED_CHARACTERS) rewrite();
      else if (file !== undefined) appendFileSync(file, line);
    },
  };
};
export type MailboxChanges = ReturnType<typeof openMailboxChanges>;
