import { z } from 'zod';
import type { MailboxSeed, SeedMessage } from './mailbox-seed.ts';

// Shapes of the emulator's responses, as far as facts are laid over them; the rest passes as it is.
const PartSchema = z.looseObject({
  body: z.looseObject({ size: z.number(), attachmentId: z.string().optional() }),
});
const MessageSchema = z.looseObject({
  id: z.string(),
  historyId: z.string(),
  labelIds: z.array(z.string()).default([]),
  snippet: z.string().default(''),
  sizeEstimate: z.number(),
  payload: z
    .looseObject({
      headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      parts: z.array(PartSchema).optional(),
    })
    .optional(),
});

/** Base64 in lines of 76 characters makes four letters, and now and then a line end, of three bytes (RFC 2045). */
const BASE64_GROWTH = (4 / 3) * (78 / 76);

/** What the sandbox says of a message that the emulator can't hold. */
export interface MessageFacts {
  /** Size of the whole message as its seed tells it, in bytes; undefined for a message that came later. */
  sizeOf(id: string): number | undefined;
  /** Names of the attachments of a seeded message; undefined for a message that came later. */
  filenamesOf(id: string): readonly string[] | undefined;
  /**
   * The emulator's message with true sizes, list headers and Gmail's HTML-escaped snippet.
   *
   * @param toHistoryId - the history id that clients see, for a message and the emulator's
   */
  complete(message: unknown, toHistoryId: (id: string, historyId: string) => string): unknown;
}

/** Remembers of every seeded message what it weighs, and its attachments: the emulator holds a few bytes of each. */
export const createMessageFacts = (mailboxes: readonly MailboxSeed[]): MessageFacts => {
  const seeds = new Map(
    mailboxes.flatMap(({ messages }) => messages.map((message) => [message.id, message] as const)),
  );
  return {
    sizeOf(id) {
      const seed = seeds.get(id);
      return seed && totalSizeBytes(seed);
    },
    filenamesOf: (id) => seeds.get(id)?.attachments.map(({ filename }) => filename),
    complete(value, toHistoryId) {
      const parsed = MessageSchema.safeParse(value);
      if (!parsed.success) return value;
      const { labelIds, ...message } = parsed.data;
      const seed = seeds.get(message.id);
      const corrected = {
        ...message,
        // An empty list is left out, as everywhere in Gmail's responses.
        ...(labelIds.length > 0 && { labelIds }),
        snippet: escapeHtml(message.snippet),
        historyId: toHistoryId(message.id, message.historyId),
      };
      if (!seed) return corrected;
      const { payload } = message;
      return {
        ...corrected,
        sizeEstimate: totalSizeBytes(seed),
        ...(payload && { payload: completePayload(payload, seed) }),
      };
    },
  };
};

const totalSizeBytes = (seed: SeedMessage): number =>
  seed.attachments.reduce(
    (total, attachment) => total + Math.ceil(attachment.sizeBytes * BASE64_GROWTH),
    seed.bodySizeBytes,
  );

type Payload = NonNullable<z.infer<typeof MessageSchema>['payload']>;

const completePayload = (payload: Payload, seed: SeedMessage): Payload => {
  const sizes = seed.attachments.map((attachment) => attachment.sizeBytes);
  const headers = [...(seed.headers ?? []), ...payload.headers];
  const parts = payload.parts?.map((part) =>
    part.body.attachmentId === undefined
      ? part
      : { ...part, body: { ...part.body, size: sizes.shift() ?? part.body.size } },
  );
  return { ...payload, headers, ...(parts && { parts }) };
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
