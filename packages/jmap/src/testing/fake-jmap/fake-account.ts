import { matchesFilter } from './fake-filter.ts';

/** An email at the fake server. */
export interface FakeEmail {
  id: string;
  threadId: string;
  mailboxIds: Set<string>;
  keywords: Set<string>;
  receivedAt: string;
  size: number;
  /** In their order, with raw values. */
  headers: [name: string, value: string][];
  preview: string;
  bodyStructure: object;
}

export interface FakeMailbox {
  id: string;
  name: string;
  parentId: string | null;
  role: string | null;
}

/** How servers differ. */
export interface FakeTraits {
  /** Most mailboxes that an email may be in. */
  maxMailboxesPerEmail?: number | undefined;
  /** Looks at each change of an email by a method; may give the type of a SetError to refuse it with. */
  refuseChange?: (id: string) => string | undefined;
  /** Called after each change of an email, with the state that it led to. */
  onChange?: (state: string) => void;
  /** Whether an email that is taken out of its last mailbox is destroyed, as at Cyrus, or the change is refused. */
  destroysOrphans?: boolean;
  /**
   * Whether a mailbox that is gone takes email, which is lost, and the state of emails moves with mailboxes, as at Cyrus.
   * Otherwise such a change is refused, and the state stays.
   */
  takesEmailToGoneMailboxes?: boolean;
  /** How a state that never was is met: it is refused, repeated with no changes, or taken for the present one. */
  futureState?: 'refuse' | 'repeat' | 'present';
}

type Arguments = Record<string, unknown>;
type Method = (args: Arguments) => Arguments;

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
  if (property === 'mailboxIds' || property === 'keywords') return toFlags(email[property]);
  return email[property as keyof FakeEmail];
};

/** The emails and mailboxes of one account, with the methods of RFC 8621 that Mailsweep uses. */
export const createFakeAccount = (traits: FakeTraits = {}) => {
  const emails = new Map<string, FakeEmail>();
  const mailboxes = new Map<string, FakeMailbox>();
  /** One number for every change: when an email was created, last changed and destroyed. */
  const log = new Map<string, { created: number; changed: number; destroyed?: number }>();
  let state = 1;
  let oldestState = 1;
  let lastNumber = 0;

  const touch = (id: string): void => {
    state += 1;
    const entry = log.get(id) ?? { created: state, changed: state };
    log.set(id, { ...entry, changed: state, ...(!emails.has(id) && { destroyed: state }) });
    traits.onChange?.(String(state));
  };

  const addMailbox = (fields: Partial<FakeMailbox> & { name: string }): FakeMailbox => {
    lastNumber += 1;
    const mailbox = { id: `box-${lastNumber}`, parentId: null, role: null, ...fields };
    mailboxes.set(mailbox.id, mailbox);
    return mailbox;
  };

  const deliver = (fields: Partial<FakeEmail> = {}): FakeEmail => {
    lastNumber += 1;
    const email: FakeEmail = {
      id: `e${lastNumber}`,
      threadId: `t${lastNumber}`,
      mailboxIds: new Set(['inbox']),
      keywords: new Set(),
      receivedAt: new Date(Date.UTC(2026, 0, 1) + lastNumber * 1_000).toISOString().replace('.000Z', 'Z'),
      size: 1_000,
      headers: [
        ['From', 'Ada <ada@news.example>'],
        ['Subject', `Mail ${lastNumber}`],
      ],
      preview: 'hello',
      bodyStructure: { type: 'text/plain', size: 5, subParts: null },
      ...fields,
    };
    emails.set(email.id, email);
    touch(email.id);
    return email;
  };

  const remove = (id: string): void => {
    emails.delete(id);
    touch(id);
  };

  /** What keeps a patch from being applied, undefined where it was. */
  const patch = (id: string, changes: Arguments): string | undefined => {
    const email = emails.get(id);
    if (email === undefined) return 'notFound';
    const next = { mailboxIds: new Set(email.mailboxIds), keywords: new Set(email.keywords) };
    for (const [path, value] of Object.entries(changes)) {
      const [property, name] = path.split('/');
      if (name === undefined && (property === 'mailboxIds' || property === 'keywords')) {
        next[property] = new Set(Object.keys(asRecord(value)));
        continue;
      }
      if ((property !== 'mailboxIds' && property !== 'keywords') || name === undefined) return 'invalidPatch';
      if (value === null) next[property].delete(name);
      else next[property].add(name);
    }
    const intoGone = [...next.mailboxIds].filter((box) => !mailboxes.has(box));
    if (intoGone.length > 0 && !traits.takesEmailToGoneMailboxes) return 'invalidProperties';
    for (const box of intoGone) next.mailboxIds.delete(box);
    if (intoGone.length > 0 && next.mailboxIds.size === 0) {
      remove(id);
      return undefined;
    }
    if (next.mailboxIds.size > (traits.maxMailboxesPerEmail ?? Number.POSITIVE_INFINITY))
      return 'tooManyMailboxes';
    if (next.mailboxIds.size === 0 && !traits.destroysOrphans) return 'invalidProperties';
    if (next.mailboxIds.size === 0) remove(id);
    else {
      Object.assign(email, next);
      touch(id);
    }
    return undefined;
  };

  const checkState = (wanted: unknown): void => {
    if (wanted !== undefined && wanted !== String(state)) throw new FakeMethodError('stateMismatch');
  };

  const count = (id: string): { totalEmails: number; unreadEmails: number } => {
    const inside = [...emails.values()].filter(({ mailboxIds }) => mailboxIds.has(id));
    return {
      totalEmails: inside.length,
      unreadEmails: inside.filter(({ keywords }) => !keywords.has('$seen')).length,
    };
  };

  const toChanges = (since: number, maxChanges: number): Arguments => {
    const changed = [...log]
      .filter(([, entry]) => entry.changed > since)
      .filter(([, { created, destroyed }]) => destroyed === undefined || created <= since)
      .toSorted(([, one], [, other]) => one.changed - other.changed);
    const page = changed.slice(0, maxChanges);
    const hasMoreChanges = changed.length > page.length;
    const pick = (isPicked: (entry: { created: number; destroyed?: number }) => boolean) =>
      page.filter(([, entry]) => isPicked(entry)).map(([id]) => id);
    return {
      oldState: String(since),
      newState: String(hasMoreChanges ? page.at(-1)?.[1].changed : state),
      hasMoreChanges,
      created: pick(({ created, destroyed }) => created > since && destroyed === undefined),
      updated: pick(({ created, destroyed }) => created <= since && destroyed === undefined),
      destroyed: pick(({ destroyed }) => destroyed !== undefined),
    };
  };

  const methods: Record<string, Method> = {
    'Email/query'({ filter, limit, anchor, anchorOffset = 0, position = 0 }) {
      const ids = [...emails.values()]
        .filter((email) => matchesFilter(email, asRecord(filter)))
        .toSorted(
          (one, other) => other.receivedAt.localeCompare(one.receivedAt) || one.id.localeCompare(other.id),
        )
        .map(({ id }) => id);
      const at = ids.indexOf(String(anchor));
      if (anchor !== undefined && at < 0) throw new FakeMethodError('anchorNotFound');
      const from = anchor === undefined ? Number(position) : Math.max(0, at + Number(anchorOffset));
      return { ids: ids.slice(from, from + Number(limit ?? ids.length)), total: ids.length, position: from };
    },
    'Email/get'({ ids, properties }) {
      const wanted = asIds(ids);
      const found = wanted.flatMap((id) => emails.get(id) ?? []);
      return {
        state: String(state),
        list: found.map((email) =>
          Object.fromEntries(['id', ...asIds(properties)].map((name) => [name, readProperty(email, name)])),
        ),
        notFound: wanted.filter((id) => !emails.has(id)),
      };
    },
    'Email/set'({ ifInState, update, destroy }) {
      checkState(ifInState);
      const oldState = String(state);
      for (const id of asIds(destroy)) remove(id);
      const results = Object.entries(asRecord(update)).map(
        ([id, changes]) => [id, traits.refuseChange?.(id) ?? patch(id, changes)] as const,
      );
      return {
        oldState,
        newState: String(state),
        updated: Object.fromEntries(
          results.filter(([, type]) => type === undefined).map(([id]) => [id, null]),
        ),
        notUpdated: Object.fromEntries(
          results.filter(([, type]) => type !== undefined).map(([id, type]) => [id, { type }]),
        ),
      };
    },
    'Email/changes'({ sinceState, maxChanges }) {
      const since = Number(sinceState);
      if (since > state && traits.futureState === 'repeat') {
        return { newState: sinceState, hasMoreChanges: false, created: [], updated: [], destroyed: [] };
      }
      const isUnknown = !(since >= oldestState) || (since > state && traits.futureState !== 'present');
      if (isUnknown) throw new FakeMethodError('cannotCalculateChanges');
      return toChanges(since, Number(maxChanges ?? Number.POSITIVE_INFINITY));
    },
    'Mailbox/get'({ ids }) {
      const wanted = ids == null ? [...mailboxes.keys()] : asIds(ids);
      return {
        state: String(state),
        list: wanted.flatMap((id) => {
          const mailbox = mailboxes.get(id);
          return mailbox === undefined ? [] : [{ ...mailbox, ...count(id) }];
        }),
        notFound: wanted.filter((id) => !mailboxes.has(id)),
      };
    },
    'Mailbox/set'({ create }) {
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
          return [key, isTaken ? undefined : addMailbox(fields)] as const;
        },
      );
      return {
        newState: String(state),
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
        state: String(state),
        list: list.filter(({ emailIds }) => emailIds.length > 0),
        notFound: list.filter(({ emailIds }) => emailIds.length === 0).map(({ id }) => id),
      };
    },
  };

  for (const [id, role] of Object.entries({
    inbox: 'inbox',
    archive: 'archive',
    trash: 'trash',
    junk: 'junk',
    sent: 'sent',
    drafts: 'drafts',
  })) {
    addMailbox({ id, name: id, role });
  }

  return {
    emails,
    mailboxes,
    addMailbox,
    deliver,
    remove,
    /** Removes an empty mailbox, or changes it, as another client does. */
    changeMailbox(id: string, fields: Partial<FakeMailbox> | 'remove'): void {
      const mailbox = mailboxes.get(id);
      if (mailbox === undefined) throw new Error('There is no such mailbox');
      if (fields === 'remove') mailboxes.delete(id);
      else Object.assign(mailbox, fields);
      if (traits.takesEmailToGoneMailboxes) state += 1;
    },
    /** Changes an email as another client does: paths of a patch, and whether they are set. */
    change(id: string, changes: Record<string, true | null>): void {
      const error = patch(id, changes);
      if (error !== undefined) throw new Error(`The change was refused: ${error}`);
    },
    /** The present state of the emails. */
    state: () => String(state),
    /** Forgets which changes there were up to now. */
    expireChanges(): void {
      oldestState = state + 1;
      state += 1;
    },
    /** Takes the account back to an older state, as a restored backup does. */
    rewind(toState: number): void {
      state = toState;
    },
    call(name: string, args: Arguments): Arguments {
      const method = methods[name];
      if (method === undefined) throw new FakeMethodError('unknownMethod');
      return method(args);
    },
  };
};
