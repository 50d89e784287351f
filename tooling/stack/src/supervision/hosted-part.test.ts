import { createLogger } from '@mailsweep/service-kit';
import { expect, it } from 'vitest';
import { hostPart } from './hosted-part.ts';

const recordLogger = () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'part',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  return { logger, lines };
};

it('closes a part when it is asked to end, even while it opens', async () => {
  const opened = Promise.withResolvers<void>();
  let isClosed = false;
  const open = async () => {
    await opened.promise;
    return {
      close: async () => {
        isClosed = true;
      },
    };
  };
  const part = hostPart({ open }, recordLogger().logger);
  part.terminate();
  opened.resolve();
  expect(await part.exited).toBe('was closed');
  expect(isClosed).toBe(true);
});

it('reports when a part ends by itself', async () => {
  const ended = Promise.withResolvers<string>();
  const part = hostPart(
    { open: async () => ({ close: async () => undefined, ended: ended.promise }) },
    recordLogger().logger,
  );
  ended.resolve('ended by itself');
  expect(await part.exited).toBe('ended by itself');
});

it('logs why a part could not be opened', async () => {
  const { logger, lines } = recordLogger();
  const part = hostPart({ open: () => Promise.reject(new Error('port 1 is taken')) }, logger);
  expect(await part.exited).toBe('could not be started');
  expect(lines.join('')).toContain('port 1 is taken');
});
