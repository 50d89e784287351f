import { openDatabase } from '@mailsweep/database';
import { createLogger } from '@mailsweep/service-kit';
import { expect, test } from 'vitest';

test('the log does not quote the arguments of a call that Prisma refuses', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', destination });
  const database = openDatabase({ databaseUrl: 'postgresql://127.0.0.1:1/none' });

  // Prisma checks arguments before it connects.
  const call = database.pendingLogin.create({ data: { nonce: 'canary' } as never });
  const error = await call.catch((reason: unknown) => reason);
  expect(String(error)).toContain('canary');
  logger.error({ err: error }, 'failed');
  logger.error({ err: new Error('outer', { cause: error }) }, 'failed');

  expect(lines.join('')).toContain('PrismaClientValidationError');
  expect(lines.join('')).not.toContain('canary');
});
