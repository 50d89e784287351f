import type { ArrivedMessage } from './mailbox-changes.ts';
import type { SeedAttachment, SeedMessage } from './mailbox-seed.ts';
import { type Header, headerOf, leavesOf, type MimePart, parseMime } from './mime.ts';

/** A message of a mailbox. Its labels change, and nothing else. */
export interface Message {
  readonly id: string;
  readonly threadId: string;
  readonly receivedAtMs: number;
  labelIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  /** What it says, without markup. */
  readonly text: string;
  readonly filenames: readonly string[];
  readonly sizeBytes: number;
  /** The whole message as MIME text (RFC 2045). */
  readMime(): Buffer;
  readParts(): MimePart;
  /** The size of a part, in bytes: that of a seeded file is a claim. */
  sizeOf(part: MimePart): number;
}

const BOUNDARY = 'mailsweep-sandbox-part';
/** Content of every seeded file, whatever its size is said to be. */
const FILE_CONTENT = Buffer.from('A file of the sandbox.\n').toString('base64');
/** Base64 in lines of 76 characters makes four letters, and now and then a line end, of three bytes (RFC 2045). */
const BASE64_GROWTH = (4 / 3) * (78 / 76);

const toFile = ({ filename, mimeType, isInline }: SeedAttachment, index: number): string[] => [
  `--${BOUNDARY}`,
  `Content-Type: ${mimeType}; name="${filename}"`,
  `Content-Disposition: ${isInline ? 'inline' : 'attachment'}; filename="${filename}"`,
  ...(isInline ? [`Content-ID: <part${index}@sandbox>`] : []),
  'Content-Transfer-Encoding: base64',
  '',
  FILE_CONTENT,
];

const toMime = (headers: readonly Header[], text: string, files: readonly SeedAttachment[]): Buffer => {
  const body = ['Content-Type: text/plain; charset=utf-8', '', text];
  const lines = [
    ...headers.map(({ name, value }) => `${name}: ${value.replaceAll(/\s+/g, ' ')}`),
    'MIME-Version: 1.0',
    ...(files.length === 0
      ? body
      : [
          `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
          '',
          `--${BOUNDARY}`,
          ...body,
          ...files.flatMap(toFile),
          `--${BOUNDARY}--`,
          '',
        ]),
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
};

/** A message that is in the mailbox from the start. Files are a few bytes, and said to be as large as the seed wants. */
export const toSeededMessage = (seed: SeedMessage): Message => {
  const { id, threadId, receivedAtMs, labels, from, to, subject, text, attachments } = seed;
  const messageId = `<${id}@mail.example>`;
  const headers = [
    ...(seed.headers ?? []),
    { name: 'From', value: from },
    { name: 'To', value: to },
    { name: 'Subject', value: subject },
    { name: 'Date', value: new Date(receivedAtMs).toUTCString() },
    { name: 'Message-ID', value: messageId },
  ].filter(({ value }) => value !== '');
  const readMime = () => toMime(headers, text, attachments);
  return {
    ...{ id, threadId, receivedAtMs, labelIds: labels, from, to, subject, messageId, text },
    filenames: attachments.map(({ filename }) => filename),
    sizeBytes: attachments.reduce(
      (total, { sizeBytes }) => total + Math.ceil(sizeBytes * BASE64_GROWTH),
      seed.bodySizeBytes,
    ),
    readMime,
    readParts: () => ({ ...parseMime(readMime()), headers }),
    sizeOf: ({ isFile, partId, bytes }) =>
      (isFile ? attachments[Number(partId) - 1]?.sizeBytes : undefined) ?? bytes.length,
  };
};

const stripMarkup = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ');

export const toArrivedMessage = (arrived: ArrivedMessage & { id: string; label_ids: string[] }): Message => {
  const mime = Buffer.from(arrived.raw, 'base64url');
  const parts = parseMime(mime);
  const leaves = leavesOf(parts);
  const textOf = (mimeType: string): string =>
    leaves.find((leaf) => leaf.mimeType === mimeType && !leaf.isFile)?.bytes.toString('utf8') ?? '';
  return {
    id: arrived.id,
    threadId: arrived.thread_id,
    receivedAtMs: Number(arrived.internal_date),
    labelIds: arrived.label_ids,
    from: headerOf(parts.headers, 'from') ?? '',
    to: headerOf(parts.headers, 'to') ?? '',
    subject: headerOf(parts.headers, 'subject') ?? '',
    messageId: headerOf(parts.headers, 'message-id') ?? '',
    text: textOf('text/plain') || stripMarkup(textOf('text/html')),
    filenames: leaves.flatMap(({ filename }) => filename || []),
    sizeBytes: mime.length,
    readMime: () => mime,
    readParts: () => parts,
    sizeOf: ({ bytes }) => bytes.length,
  };
};

/** What an insertion may say instead of MIME text. */
export const composeMime = (fields: { from: string; to: string; subject: string; text: string }): Buffer => {
  const { from, to, subject, text } = fields;
  const headers = Object.entries({ From: from, To: to, Subject: subject });
  return toMime(
    headers.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }])),
    text,
    [],
  );
};
