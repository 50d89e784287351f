const DAY_MS = 86_400_000;

/** A message as a test names it; what it leaves out doesn't matter to it. */
export interface SandboxMessage {
  id: string;
  /** A conversation of its own by default. */
  threadId?: string;
  from?: string;
  subject?: string;
  text?: string;
  /** Size of the one attached file; none without. */
  attachmentBytes?: number;
  labelIds?: string[];
  ageDays?: number;
}

/** A message as the emulator takes it. */
export const toSeed = (owner: string, message: SandboxMessage) => ({
  id: message.id,
  user_email: owner,
  thread_id: message.threadId ?? `thread-${message.id}`,
  from: message.from ?? 'News <news@shop.example>',
  to: owner,
  subject: message.subject ?? 'Subject',
  body_text: message.text ?? 'Text',
  label_ids: message.labelIds ?? ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
  date: new Date(Date.now() - (message.ageDays ?? 1) * DAY_MS).toISOString(),
  ...(message.attachmentBytes === undefined ? {} : { raw: toRawMessage(message.attachmentBytes) }),
});

/** A MIME message (RFC 2045) with one attached file, in the form in which Gmail's API has it. */
const toRawMessage = (attachmentBytes: number): string => {
  const file = [
    'Content-Type: application/pdf; name="file.pdf"',
    'Content-Disposition: attachment; filename="file.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.alloc(attachmentBytes, 'x').toString('base64'),
  ].join('\n');
  const head = 'Content-Type: multipart/mixed; boundary="b"';
  return Buffer.from(`${head}\n\n--b\nContent-Type: text/plain\n\nText\n--b\n${file}\n--b--\n`).toString(
    'base64url',
  );
};
