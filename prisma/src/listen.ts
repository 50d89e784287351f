import pg from 'pg';

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Listens to a channel over a connection of its own.
 *
 * @param options.onListening - called once the connection listens; what was sent before is lost
 * @param options.onNotified - called with the payload of each notification
 * @returns resolves when the connection has ended; rejects when there could be none
 */
export const listenToChannel = async (options: {
  databaseUrl: string;
  channel: string;
  signal: AbortSignal;
  onListening: () => void;
  onNotified: (payload: string) => void;
}): Promise<void> => {
  const { databaseUrl, channel, signal, onListening, onNotified } = options;
  if (signal.aborted) return;
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => void client.once('end', () => resolve()));
  // The end of the connection follows.
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => onNotified(payload));
  const end = () => void client.end();
  signal.addEventListener('abort', end, { once: true });
  const startListening = async () => {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    onListening();
    await ended;
  };
  try {
    // `connect()` of pg never settles when `end()` is called before the connection is made.
    await Promise.race([startListening(), ended]);
  } finally {
    signal.removeEventListener('abort', end);
    await client.end();
  }
};
