import { createLogger, loadConfig, runService } from '@mailsweep/service-kit';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { readConfig } from './config.ts';
import { endStalePostmaster } from './stale-postmaster.ts';

/**
 * Postgres writes failing statements and rows into its log, mail among them: only lines about the server itself
 * are kept.
 */
const SERVER_LINE = / (LOG|WARNING|FATAL|PANIC): {2}/;

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'database', level: config.LOG_LEVEL });

await runService({
  logger,
  start: async ({ onClose }) => {
    await endStalePostmaster(config.DATABASE_DIR);
    const starting = startEmbeddedPostgres({
      dataDir: config.DATABASE_DIR,
      port: config.PORT,
      databases: [config.DATABASE_NAME],
      durable: true,
      onLine: (line) => {
        if (SERVER_LINE.test(line)) logger.info({ line }, 'postgres');
      },
    });
    let isClosing = false;
    // Registered before the server is up: whoever ends us meanwhile must not leave it behind.
    onClose('postgres', async () => {
      isClosing = true;
      await starting.then(
        (postgres) => postgres.close(),
        () => undefined,
      );
    });
    const postgres = await starting;
    void postgres.exited.then(() => {
      // The stack starts this process again, and Postgres with it.
      if (!isClosing) throw new Error('the Postgres server ended by itself');
    });
  },
});
