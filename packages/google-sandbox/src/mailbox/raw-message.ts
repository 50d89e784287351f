import type { SeedAttachment, SeedMessage } from './mailbox-seed.ts';

const BOUNDARY = 'mailsweep-sandbox-part';
/** Content of every attachment: its size is a claim (see message-facts.ts), its bytes are these. */
const TOKEN_CONTENT = Buffer.from('A file of the sandbox.\n').toString('base64');

const toPart = ({ filename, mimeType, isInline }: SeedAttachment, index: number): string =>
  [
    `Content-Type: ${mimeType}; name="${filename}"`,
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'}; filename="${filename}"`,
    ...(isInline ? [`Content-ID: <part${index}@sandbox>`] : []),
    'Content-Transfer-Encoding: base64',
    '',
    TOKEN_CONTENT,
  ].join('\n');

/** The MIME text (RFC 2045) of a message with attachments, as base64url, the form in which Gmail's API has it. */
export const toRawMessage = (message: SeedMessage): string => {
  const parts = [
    ['Content-Type: text/plain; charset=utf-8', '', message.text].join('\n'),
    ...message.attachments.map(toPart),
  ];
  const mime = [
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    '',
    ...parts.map((part) => `--${BOUNDARY}\n${part}`),
    `--${BOUNDARY}--`,
    '',
  ].join('\n');
  return Buffer.from(mime, 'utf8').toString('base64url');
};
