import { deriveKey } from './encryption-keys.ts';

const PREFIX = 'mailsweep';
/** Of the 32 bytes that are derived from a key: enough to see that two differ, nothing to find the key by. */
const FINGERPRINT_BYTES = 4;

/** What a process says of itself to whom may look at the connections of the database. */
export interface ProcessName {
  service: string;
  version: string;
  /** Fingerprints of its encryption keys, the one that it writes with first; none where it has no keys. */
  keys: string[];
}

const toFingerprint = (key: Buffer): string =>
  deriveKey(key, 'fingerprint').subarray(0, FINGERPRINT_BYTES).toString('hex');

/** Fingerprints by which processes can be compared without their keys being known. */
export const toFingerprints = (keys: { current: Buffer; previous?: Buffer | undefined }): string[] =>
  [keys.current, keys.previous].filter((key) => key !== undefined).map(toFingerprint);

/** The name of a process's connections to the database, such as `mailsweep/worker/1.2.0/5f3a9c01`; 63 bytes at most. */
export const formatProcessName = ({ service, version, keys }: ProcessName): string =>
  [PREFIX, service, version, keys.join('+')].join('/');

/** @returns undefined for a connection of another program */
export const parseProcessName = (text: string): ProcessName | undefined => {
  const [prefix, service = '', version = '', keys = ''] = text.split('/');
  return prefix === PREFIX ? { service, version, keys: keys.split('+').filter(Boolean) } : undefined;
};
