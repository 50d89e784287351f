import type { OwnMailbox } from '@mailsweep/contracts';

const GOOGLE = {
  key: 'gmail',
  name: 'Google',
  kind: 'gmail',
  offersReadOnly: true,
  signIn: 'redirect',
} as const;

/** A mailbox of `ada@example.com`, which is shown, and others by their number. */
export const sampleMailbox = (number: number, known: Partial<OwnMailbox> = {}): OwnMailbox => ({
  number,
  email: number === 1 ? 'ada@example.com' : `ada@work${number}.example`,
  name: null,
  provider: GOOGLE,
  connection: 'active',
  current: number === 1,
  ...known,
});
