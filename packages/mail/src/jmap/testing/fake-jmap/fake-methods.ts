import type { FakeAccount, FakeEmail, FakeTraits } from './fake-account.ts';
import { matchesFilter } from './fake-filter.ts';

type Arguments = Record<string, unknown>;

/** An error that a method responds with. */
export class FakeMethodError extends Error {
  readonly type: string;
  constructor(type: string) {
    super(type);
    this.type = type;
  }
}

const asIds = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const asRecord = (value: unknown): Record<string, Arguments> => (value ?? {}) as Record<string, Arguments>;
const toFlags = (names: ReadonlySet<string>): Record<string, true> =>
  Object.fromEntries([...names].map((name) => [name, true]));

const readHeader = ({ headers }: FakeEmail, property: string): unknown => {
  const [, name = '', , all] = property.split(':');
  const values = headers
    .filter(([other]) => other.toLowerCase() === name.toLowerCase())
    .map(([, value]) => ` ${value}`);
  return all === 'all' ? values : (values.at(-1) ?? null);
};

const readProperty = (email: FakeEmail, property: string): unknown => {
  if (property.startsWith('header:')) return readHeader(email, property);
  if (property === 'headers') return email.headers.map(([name, value]) => ({ name, value: ` ${value}` }));
  if (property === 'mailboxIds' || property === 'keywords') return toFlags(email[property]);
  return email[property as keyof FakeEmail];
};

/** Whether a filter has mailboxes within an operator. */
const nestsMailboxes = ({ operator, conditions, ...own }: Arguments, isNested = false): boolean =>
  operator === undefined
    ? isNested && ('inMailbox' in own || 'inMailboxOtherThan' in own)
    : (conditions as Arguments[]).some((condition) => nestsMailboxes(condition, true));

/** The methods of RFC 8621 that Mailsweep uses, on an account. */
export const createFakeMethods = (account: FakeAccount, traits: FakeTraits) => {
  const { hasTotals = true, mostListed = Number.POSITIVE_INFINITY } = traits;
  const { mostRead = Number.POSITIVE_INFINITY, mostChanged = Number.POSITIVE_INFINITY } = traits;
  const refused = new Set(traits.refuses);
  const { emails, mailboxes, addMailbox, remove, update, findChanges, state } = account;

  const checkState = (wanted: unknown): void => {
    if (wanted !== undefined && wanted !== state() && !traits.ignoresStates)
      throw new FakeMethodError('stateMismatch');
  };

  const count = (id: string): { totalEmails: number; unreadEmails: number } => {
    const inside = [...emails.values()].filter(({ mailboxIds }) => mailboxIds.has(id));
    return {
      totalEmails: inside.length,
      unreadEmails: inside.filter(({ keywords }) => !keywords.has('$seen')).length,
    };
  };

  const methods: Record<string, (args: Arguments) => Arguments> = {
    'Email/query'({ filter, limit, anchor, anchorOffset = 0, position = 0 }) {
      if (anchor !== undefined && refused.has('anchors')) throw new FakeMethodError('invalidArguments');
      if (refused.has('nestedMailboxes') && nestsMailboxes(asRecord(filter))) {
        throw new FakeMethodError('unsupportedFilter');
      }
      const ids = [...emails.values()]
        .filter((email) => matchesFilter(email, asRecord(filter), traits.excludesAfter))
        .toSorted(
          (one, other) => other.receivedAt.localeCompare(one.receivedAt) || one.id.localeCompare(other.id),
        )
        .map(({ id }) => id);
      const at = ids.indexOf(String(anchor));
      if (anchor !== undefined && at < 0) throw new FakeMethodError('anchorNotFound');
      const from = anchor === undefined ? Number(position) : Math.max(0, at + Number(anchorOffset));
      const most = Math.min(mostListed, Number(limit ?? ids.length));
      return {
        ids: ids.slice(from, from + most),
        ...(hasTotals && { total: ids.length }),
        position: from,
      };
    },
    'Email/get'({ ids, properties }) {
      const wanted = asIds(ids);
      const hasParts = asIds(properties).includes('bodyStructure');
      if (hasParts && wanted.length > mostRead) throw new FakeMethodError('requestTooLarge');
      if (refused.has('allHeaders') && asIds(properties).some((name) => name.endsWith(':all'))) {
        throw new FakeMethodError('invalidArguments');
      }
      const found = wanted.flatMap((id) => emails.get(id) ?? []);
      return {
        state: state(),
        list: found.map((email) =>
          Object.fromEntries(['id', ...asIds(properties)].map((name) => [name, readProperty(email, name)])),
        ),
        notFound: wanted.filter((id) => !emails.has(id)),
      };
    },
    'Email/set'({ ifInState, update: updates, destroy }) {
      if (Object.keys(asRecord(updates)).length > mostChanged) throw new FakeMethodError('requestTooLarge');
      checkState(ifInState);
      const oldState = state();
      for (const id of asIds(destroy)) remove(id);
      const results = Object.entries(asRecord(updates)).map(
        ([id, changes]) => [id, update(id, changes)] as const,
      );
      return {
        oldState,
        newState: state(),
        updated: Object.fromEntries(
          results.filter(([, type]) => type === undefined).map(([id]) => [id, null]),
        ),
        notUpdated: Object.fromEntries(
          results.filter(([, type]) => type !== undefined).map(([id, type]) => [id, { type }]),
        ),
      };
    },
    'Email/changes'({ sinceState, maxChanges }) {
      const changes = findChanges(String(sinceState), Number(maxChanges ?? Number.POSITIVE_INFINITY));
      if (changes === undefined) throw new FakeMethodError('cannotCalculateChanges');
      return changes;
    },
    'Mailbox/get'({ ids }) {
      const wanted = ids == null ? [...mailboxes.keys()] : asIds(ids);
      return {
        state: state(),
        list: wanted.flatMap((id) => {
          const mailbox = mailboxes.get(id);
          return mailbox === undefined ? [] : [{ ...mailbox, ...(hasTotals && count(id)) }];
        }),
        notFound: wanted.filter((id) => !mailboxes.has(id)),
      };
    },
    'Mailbox/set'({ create, ifInState }) {
      checkState(ifInState);
      const results = Object.entries(asRecord(create)).map(
        ([key, { name, parentId = null, role = null }]) => {
          const fields = {
            name: String(name),
            parentId: parentId as string | null,
            role: role as string | null,
          };
          const isTaken = mailboxes
            .values()
            .some((other) => other.parentId === fields.parentId && other.name === fields.name);
          const isRefused = role !== null && refused.has('roles');
          return [key, isTaken || isRefused ? undefined : addMailbox(fields)] as const;
        },
      );
      return {
        newState: state(),
        created: Object.fromEntries(results.flatMap(([key, made]) => (made ? [[key, { id: made.id }]] : []))),
        notCreated: Object.fromEntries(
          results.flatMap(([key, made]) => (made ? [] : [[key, { type: 'invalidProperties' }]])),
        ),
      };
    },
    'Thread/get'({ ids }) {
      const list = asIds(ids).map((id) => ({
        id,
        emailIds: [...emails.values()].filter(({ threadId }) => threadId === id).map((email) => email.id),
      }));
      return {
        state: state(),
        list: list.filter(({ emailIds }) => emailIds.length > 0),
        notFound: list.filter(({ emailIds }) => emailIds.length === 0).map(({ id }) => id),
      };
    },
  };

  return (name: string, args: Arguments): Arguments => {
    const method = methods[name];
    if (method === undefined) throw new FakeMethodError('unknownMethod');
    return method(args);
  };
};
