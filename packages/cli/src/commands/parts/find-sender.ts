import { type ApiClient, listItems } from '@mailsweep/client';
import { Failure } from '../../failures.ts';

const SENDER_ID = /^[0-9a-f]{64}$/;

/** Finds a sender by its address, unless it is an id already. */
export const toSenderId = async (client: ApiClient, name: string, signal: AbortSignal): Promise<string> => {
  if (SENDER_ID.test(name)) return name;
  const query = { search: name, perPage: 100 };
  for await (const { id, from } of listItems(client.listSenders, { query, signal })) {
    const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
    if (address.trim().toLowerCase() === name.toLowerCase()) return id;
  }
  throw new Failure(
    'unknown_sender',
    `There is no email of a sender with the address ${name}. Look for it with: mailsweep senders --search`,
  );
};
