import type { LabelChange } from '@mailsweep/contracts';
import { beforeEach } from 'vitest';
import { SYSTEM_LABELS } from '../../labels.ts';
import type { Mailbox } from '../../mailbox.ts';

export const FIRST_MS = Date.UTC(2026, 0, 1);
export const HOUR_MS = 3_600_000;

/** An email that a test puts into a mailbox. */
export interface DeliveredEmail {
  labels: string[];
  receivedAt: Date;
  subject: string;
  from: string;
  /** The email that it is a reply to. */
  replyTo?: string | undefined;
}

/** A mailbox of a provider, and another client of the same account. */
export interface ContractServer {
  mailbox: Mailbox;
  /** Puts an email into the mailbox; resolves with its id once lists show it. */
  deliver(email: DeliveredEmail): Promise<string>;
  /** Changes labels as another client does. */
  change(id: string, change: LabelChange): Promise<void>;
  /** Deletes an email for good, as another client does. */
  destroy(id: string): Promise<void>;
  /** All labels that an email has at the server. */
  readLabels(id: string): Promise<string[]>;
  createLabel(name: string): Promise<string>;
  /** Has changes of these emails refused, each by itself; missing where a server cannot be told to. */
  refuseChangesOf?(ids: readonly string[]): void;
}

/**
 * A mailbox for each test, and what a test does with it.
 *
 * @param openServer - a server with an empty mailbox, for one test
 */
export const useContractUser = (openServer: () => Promise<ContractServer>) => {
  let server: ContractServer;
  beforeEach(async () => {
    server = await openServer();
  });

  /** Emails of the inbox, the first one the newest; of each the labels that it has besides. */
  const deliver = async (count: number, labels: string[] = [], fields: Partial<DeliveredEmail> = {}) => {
    const ids: string[] = [];
    for (let index = count - 1; index >= 0; index -= 1) {
      const receivedAt = new Date(FIRST_MS - index * HOUR_MS);
      const email = { subject: `Subject ${index}`, from: 'News <news@shop.example>', receivedAt };
      ids.unshift(await server.deliver({ ...email, labels: [SYSTEM_LABELS.inbox, ...labels], ...fields }));
    }
    return ids;
  };
  const deliverOne = async (labels: string[] = [], fields: Partial<DeliveredEmail> = {}) => {
    const [id = ''] = await deliver(1, labels, fields);
    return id;
  };
  const labelsOf = async (id: string) => new Set(await server.readLabels(id));

  /** Changes one email as an action does, with the labels that were known before. */
  const act = async (id: string, change: LabelChange, isKnown = true) => {
    const baseline = await server.mailbox.readBaseline([id]);
    const before = isKnown ? baseline.labels.get(id) : undefined;
    const [outcome] = await server.mailbox.changeLabels([{ id, ...change, before }], baseline.historyId);
    return outcome;
  };
  /** Reverses what an action did. */
  const undo = async (id: string, outcome: Awaited<ReturnType<typeof act>>) => {
    if (outcome?.status !== 'ok' || outcome.change === undefined) throw new Error('nothing was recorded');
    return await act(id, { added: outcome.change.removed, removed: outcome.change.added });
  };

  return {
    get server() {
      return server;
    },
    get mailbox() {
      return server.mailbox;
    },
    deliver,
    deliverOne,
    labelsOf,
    act,
    undo,
  };
};
