import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createWebApp } from './app.ts';
import { parseWebServerConfig } from './config.ts';

/** How long open connections may hold up an exit. Unit: milliseconds. */
const CLOSE_DEADLINE_MS = 5_000;

const { port, apiOrigin } = parseWebServerConfig();
const directory = fileURLToPath(new URL('../dist', import.meta.url));
const server = createServer(createWebApp({ directory, apiOrigin }));

server.listen(port, () => {
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  process.stdout.write(`${JSON.stringify({ message: 'web server listening', port: actualPort })}\n`);
});

const stop = () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
