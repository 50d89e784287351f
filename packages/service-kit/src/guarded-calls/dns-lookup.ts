import type { LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import type { ResolveAll } from './address-policy.ts';

/** Wait for the first response to a question, and the longest look-up, in milliseconds. */
const FIRST_TRY_MS = 1_000;
const LONGEST_MS = 2_500;
const TRIES = 3;

/** Codes that say that there is no such name, or no address of the family; all others may pass. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Asks the DNS for what a stranger names. Unlike `dns.lookup`, this takes none of the few threads of the process, which a
 * name whose servers stay silent would occupy for minutes.
 *
 * @param servers - asked in place of those of the system
 */
export const askDns = async <T>(
  ask: (resolver: Resolver) => Promise<T>,
  servers?: readonly string[],
): Promise<T> => {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), LONGEST_MS);
  try {
    return await ask(resolver);
  } finally {
    clearTimeout(timer);
  }
};

/** The addresses that the machine itself lists for a name. */
const readHosts = async (name: string): Promise<string[]> => {
  const text = await readFile('/etc/hosts', 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) > 0 && names.includes(name.toLowerCase()) ? [address] : [];
  });
};

const findAddresses = async (name: string, servers?: readonly string[]): Promise<string[]> => {
  const listed = await readHosts(name);
  if (listed.length > 0) return listed;
  const answers = await askDns(
    (resolver) => Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
    servers,
  );
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  throw (
    errors.find(({ code }) => !NO_ADDRESS.has(code)) ??
    Object.assign(new Error('there is no such name'), { code: 'ENOTFOUND' })
  );
};

/** Makes the look-up of names that strangers choose: in the file of hosts, then in the DNS, without its search domains. */
export const createDnsLookup = (servers?: readonly string[]): ResolveAll =>
  callbackify(async (name: string, _options: LookupAllOptions) =>
    (await findAddresses(name, servers)).map((address) => ({ address, family: isIP(address) })),
  );
