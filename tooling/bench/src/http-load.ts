import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

/** Sends a request over and over on one connection, the next as soon as the previous response has come. */
const repeat = (
  port: number,
  request: string,
  onResponse: () => void,
): { socket: Socket; ended: Promise<void> } => {
  const socket = connect(port, '127.0.0.1');
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headLength = received.indexOf(HEAD_END);
    if (headLength < 0) return;
    const head = received.toString('latin1', 0, headLength);
    if (!head.startsWith('HTTP/1.1 200 '))
      return socket.destroy(new Error(`responded with ${head.split('\r\n')[0]}`));
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (received.length < headLength + HEAD_END.length + length) return;
    received = Buffer.alloc(0);
    onResponse();
    socket.write(request);
  });
  socket.once('connect', () => socket.write(request));
  socket.once('error', reject);
  socket.once('close', () => resolve());
  return { socket, ended };
};

/**
 * Asks for the same page on several connections at once. It does far less per response than an HTTP client would,
 * so that what is measured is the server and not the client beside it. The server has to send `content-length`.
 *
 * @returns responses per second
 * @throws when a response is not 200
 */
export const responsesPerSecond = async (options: {
  port: number;
  path: string;
  token: string;
  connections: number;
  durationMs: number;
}): Promise<number> => {
  const { port, path, token, connections, durationMs } = options;
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
  let responses = 0;
  const clients = Array.from({ length: connections }, () => repeat(port, request, () => (responses += 1)));
  const startedMs = performance.now();
  const timer = setTimeout(() => {
    for (const { socket } of clients) socket.destroy();
  }, durationMs);
  try {
    await Promise.all(clients.map(({ ended }) => ended));
    return (responses / (performance.now() - startedMs)) * 1_000;
  } finally {
    clearTimeout(timer);
    for (const { socket } of clients) socket.destroy();
  }
};
