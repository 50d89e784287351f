import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { createLogger } from '@mailsweep/service-kit';
import { createMailsweep, type MailsweepPorts } from '../mailsweep.ts';
import type { WorkerPorts } from '../steps.ts';

/** Rounds come when a test asks for them, not by the clock. */
const NEVER_MS = 2 ** 31 - 1;

/** A port that a test gives to whatever has to do without it. */
const missing = (): never => {
  throw new Error('this test has no such port');
};

/** The product over a database; what a test needs beside that, it gives. */
export const openTestMailsweep = (
  {
    cipher,
    senderKey = createSecretKey(Buffer.alloc(32)),
    ...ports
  }: Partial<MailsweepPorts> & { database: Database; cipher: TextCipher; senderKey?: KeyObject },
  parts?: Parameters<typeof createMailsweep>[1],
) => {
  const mailsweep = createMailsweep(
    {
      queue: { openQueue: missing },
      mailboxAccess: { messageCipher: cipher, tokenCipher: cipher, senderKey, revokeGrant: missing },
      openMailbox: missing,
      mlClient: { suggest: missing },
      publishThreshold: 10,
      onEventRecorded: () => undefined,
      logger: createLogger({ service: 'test', level: 'silent' }),
      ...ports,
    },
    { recoveryIntervalMs: NEVER_MS, ...parts },
  );
  return {
    ...mailsweep,
    openTestSteps: (worker: Partial<WorkerPorts> = {}) =>
      mailsweep.openSteps({
        openMeteredMailbox: missing,
        openMessageStore: missing,
        callUnsubscribe: missing,
        sendPush: undefined,
        sendWebhook: undefined,
        observe: { scan: () => undefined, watch: () => undefined, notifications: () => undefined },
        ...worker,
      }),
  };
};
