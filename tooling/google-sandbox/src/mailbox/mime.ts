import libmime from 'libmime';

export interface Header {
  name: string;
  value: string;
}

/** A part of a message (RFC 2045); a leaf has bytes, another has parts. */
export interface MimePart {
  /** Its place in the tree, as Gmail numbers it: `` for the whole, `0`, `0.1`. */
  partId: string;
  mimeType: string;
  filename: string;
  isFile: boolean;
  headers: Header[];
  bytes: Buffer;
  parts: MimePart[];
}

/** The sections of a multipart body, without what comes before the first and after the last. Lines end with `\n`. */
export const splitMultipart = (body: string, boundary: string): string[] =>
  `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .filter((section) => !section.startsWith('--'))
    .map((section) => section.replace(/^[ \t]*\n/, ''));

/** Reads a message from its MIME text. What is malformed counts as plain text. */
export const parseMime = (bytes: Buffer): MimePart =>
  parsePart(bytes.toString('latin1').replaceAll('\r\n', '\n'), '');

export const headerOf = (headers: readonly Header[], name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

/** All parts that have no parts, in their order. */
export const leavesOf = (part: MimePart): MimePart[] =>
  part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);

const parsePart = (source: string, partId: string): MimePart => {
  const text = `\n${source}`;
  const end = text.indexOf('\n\n');
  const headers = parseHeaders(end < 0 ? text : text.slice(0, end));
  const content = end < 0 ? '' : text.slice(end + 2);
  const type = libmime.parseHeaderValue(headerOf(headers, 'content-type') ?? 'text/plain');
  const disposition = libmime.parseHeaderValue(headerOf(headers, 'content-disposition') ?? '');
  const mimeType = type.value.toLowerCase();
  const filename = libmime.decodeWords(disposition.params.filename ?? type.params.name ?? '');
  const sections =
    mimeType === 'message/rfc822'
      ? [content]
      : mimeType.startsWith('multipart/') && type.params.boundary
        ? splitMultipart(content, type.params.boundary)
        : [];
  return {
    partId,
    mimeType,
    filename,
    isFile: filename !== '' || disposition.value === 'attachment',
    headers,
    bytes: decodeContent(content, headerOf(headers, 'content-transfer-encoding')?.toLowerCase()),
    parts: sections.map((section, index) => parsePart(section, partId ? `${partId}.${index}` : `${index}`)),
  };
};

const parseHeaders = (head: string): Header[] =>
  head
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':');
      const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString('utf8');
      return colon < 1 ? [] : [{ name: line.slice(0, colon), value }];
    });

const decodeContent = (content: string, encoding: string | undefined): Buffer => {
  if (encoding === 'base64') return Buffer.from(content, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(content, 'latin1');
  const unfolded = content.replaceAll('=\n', '');
  const decoded = unfolded.replaceAll(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
};
