import { randomUUID } from 'node:crypto';

/** Sender and recipient of every message that a live check inserts: by this, and by the label, a later run knows it again. */
export const SENDER = 'live-check@mailsweep.invalid';
/** Subject of the one draft, which can carry no label. */
export const DRAFT_SUBJECT = 'Mailsweep live check: a draft';

const CRLF = '\r\n';

const toRaw = (lines: readonly string[]): string =>
  Buffer.from(lines.join(CRLF), 'utf8').toString('base64url');

const toHead = (subject: string): string[] => [
  `From: Mailsweep live check <${SENDER}>`,
  `To: Mailsweep live check <${SENDER}>`,
  `Subject: ${subject}`,
  `Date: ${new Date().toUTCString()}`,
  `Message-ID: <${randomUUID()}@live-check.mailsweep.invalid>`,
  'MIME-Version: 1.0',
];

const BODY = 'A message of `npm run live-check`. It can be deleted.';

/** A plain message, in the form in which the Gmail API takes it. Subjects differ, so that Gmail joins none to a conversation. */
export const toPlainMessage = (index: number): string =>
  toRaw([
    ...toHead(`Mailsweep live check ${index} ${randomUUID()}`),
    'Content-Type: text/plain; charset=utf-8',
    '',
    BODY,
  ]);

/** The draft of the check of drafts. */
export const toDraft = (): string =>
  toRaw([...toHead(DRAFT_SUBJECT), 'Content-Type: text/plain; charset=utf-8', '', BODY]);

/** How many files a message that was forwarded three times carries: one at each level. */
export const FORWARDED_FILES = 4;

const toFile = (depth: number): string[] => [
  `Content-Type: application/pdf; name="file-${depth}.pdf"`,
  `Content-Disposition: attachment; filename="file-${depth}.pdf"`,
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(`A file of the live check, at depth ${depth}.`).toString('base64'),
];

const toNested = (depth: number): string[] => {
  const boundary = `live-check-${depth}`;
  const inner =
    depth === 0 ? [] : [`--${boundary}`, 'Content-Type: message/rfc822', '', ...toNested(depth - 1)];
  return [
    ...toHead(`Mailsweep live check, forwarded ${depth} ${randomUUID()}`),
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    BODY,
    `--${boundary}`,
    ...toFile(depth),
    ...inner,
    `--${boundary}--`,
    '',
  ];
};

/** A message that was forwarded three times as an attachment, with a file at each level. */
export const toForwardedMessage = (): string => toRaw(toNested(FORWARDED_FILES - 1));
