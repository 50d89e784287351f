import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  /** Lower-case names; of a header that occurs twice, the last. */
  headers: Record<string, string>;
  body: string;
}

const TIMEOUT_MS = 20_000;
/** After so long without a byte we end a connection over which the server may wait for more, in milliseconds. */
const PARTIAL_TIMEOUT_MS = 1_000;

/**
 * Sends bytes as they are over a connection of their own, and reads what comes back until the server closes it. No
 * HTTP client is in between: those refuse to send what a server must be able to refuse.
 *
 * @param options.isWhole - whether the bytes are one whole request that asks to close the connection; what is not
 *   is ended by us
 * @returns null when the connection was closed without a word
 * @throws when the server neither responds nor closes
 */
export const exchangeRaw = (
  url: string,
  bytes: Buffer,
  options: { isWhole: boolean },
): Promise<RawResponse | null> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(options.isWhole ? TIMEOUT_MS : PARTIAL_TIMEOUT_MS, () => {
      socket.destroy();
      if (options.isWhole) reject(new Error(`no response within ${TIMEOUT_MS} ms`));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const response = parseResponse(Buffer.concat(chunks));
      // Node responds to what it can't read as HTTP in one piece, without a length.
      if (!options.isWhole && isComplete(response)) socket.destroy();
    });
    // A server that has refused a request doesn't read the rest of it: the reset comes after its response.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(parseResponse(Buffer.concat(chunks))));
    socket.write(bytes);
  });

const isComplete = (response: RawResponse | null): boolean =>
  response !== null &&
  response.headers['transfer-encoding'] === undefined &&
  Buffer.byteLength(response.body) >= Number(response.headers['content-length'] ?? 0);

const parseResponse = (bytes: Buffer): RawResponse | null => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(headEnd + 4);
  // An interim response such as 100 Continue goes before the real one.
  if (status >= 100 && status < 200) return parseResponse(rest);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = headers['transfer-encoding'] === 'chunked' ? joinChunks(rest) : rest;
  return { status, headers, body: body.toString() };
};

/** The content of a body that was sent in chunks (RFC 9112, section 7.1). */
const joinChunks = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = lineEnd < 0 ? 0 : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
};
