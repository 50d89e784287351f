/** An email at the fake server. */
export interface FakeEmail {
  id: string;
  threadId: string;
  mailboxIds: Set<string>;
  keywords: Set<string>;
  receivedAt: string;
  sentAt?: string;
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
  /** What the server says of the user's rights. */
  myRights?: Record<string, boolean>;
}

/** How servers differ. */
export interface FakeTraits {
  /** Whether it counts what a query finds, and what a mailbox has; true by default. */
  hasTotals?: boolean;
  /** Most ids that a query gives, whatever was asked for; it does not say so. */
  mostListed?: number;
  /** Most emails of which it reads the parts at a time; fewer than its session says. */
  mostRead?: number;
  /** Most emails that it changes in one call, fewer than its session says. */
  mostChanged?: number;
  /** What it takes besides: all of it by default. */
  refuses?: readonly ('anchors' | 'nestedMailboxes' | 'allHeaders' | 'roles')[];
  /** Whether a change is made whatever state it is for. */
  ignoresStates?: boolean;
  /** Whether an email received at the very instant of `after` is left out. */
  excludesAfter?: boolean;
  /** What its states begin with: nothing at servers that count. */
  statePrefix?: string;
  /** Roles and names of the mailboxes of a new account; the ids are the roles. */
  roles?: Readonly<Record<string, string>>;
  /** Most mailboxes that an email may be in. */
  maxMailboxesPerEmail?: number | undefined;
  /** Looks at each change of an email by a method; may give the type of a SetError to refuse it with. */
  refuseChange?: (id: string) => string | undefined;
  /** Called after each change of an email, with the state that it led to. */
  onChange?: (state: string) => void;
  /** Whether an email that is taken out of its last mailbox is destroyed, as at Cyrus, or the change is refused. */
  destroysOrphans?: boolean;
  /**
   * Whether a mailbox that is gone takes email, which is lost, and the state of emails moves with mailboxes; when one is
   * deleted, the states before are forgotten: as at Cyrus. Otherwise such a change is refused, and the state stays.
   */
  takesEmailToGoneMailboxes?: boolean;
  /** How a state that never was is met: it is refused, repeated with no changes, or taken for the present one. */
  futureState?: 'refuse' | 'repeat' | 'present';
}

const ROLES = Object.fromEntries(
  'inbox archive trash junk sent drafts'.split(' ').map((role) => [role, role]),
);

type Arguments = Record<string, unknown>;

/** The emails and mailboxes of one account, and which changes there were. */
export const createFakeAccount = (traits: FakeTraits = {}) => {
  const emails = new Map<string, FakeEmail>();
  const mailboxes = new Map<string, FakeMailbox>();
  /** One number for every change: when an email was created, last changed and destroyed. */
  const log = new Map<string, { created: number; changed: number; destroyed?: number }>();
  let state = 1;
  let oldestState = 1;
  let lastNumber = 0;

  const prefix = traits.statePrefix ?? '';
  const toState = (number: number): string => `${prefix}${number}`;

  const touch = (id: string): void => {
    state += 1;
    const entry = log.get(id) ?? { created: state, changed: state };
    log.set(id, { ...entry, changed: state, ...(!emails.has(id) && { destroyed: state }) });
    traits.onChange?.(toState(state));
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
        next[property] = new Set(Object.keys(value as object));
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

  /** Emails that changed since a state, as Email/changes has them; undefined where that cannot be told. */
  const findChanges = (sinceState: string, maxChanges: number) => {
    const since = sinceState.startsWith(prefix) ? Number(sinceState.slice(prefix.length)) : Number.NaN;
    if (since > state && traits.futureState === 'repeat') {
      return { newState: sinceState, hasMoreChanges: false, created: [], updated: [], destroyed: [] };
    }
    const isUnknown = !(since >= oldestState) || (since > state && traits.futureState !== 'present');
    if (isUnknown) return undefined;
    const changed = [...log]
      .filter(([, entry]) => entry.changed > since)
      .filter(([, { created, destroyed }]) => destroyed === undefined || created <= since)
      .toSorted(([, one], [, other]) => one.changed - other.changed);
    const page = changed.slice(0, maxChanges);
    const hasMoreChanges = changed.length > page.length;
    const pick = (isPicked: (entry: { created: number; destroyed?: number }) => boolean) =>
      page.filter(([, entry]) => isPicked(entry)).map(([id]) => id);
    return {
      newState: toState(hasMoreChanges ? (page.at(-1)?.[1].changed ?? state) : state),
      hasMoreChanges,
      created: pick(({ created, destroyed }) => created > since && destroyed === undefined),
      updated: pick(({ created, destroyed }) => created <= since && destroyed === undefined),
      destroyed: pick(({ destroyed }) => destroyed !== undefined),
    };
  };

  for (const [role, name] of Object.entries(traits.roles ?? ROLES)) addMailbox({ id: role, name, role });

  return {
    emails,
    mailboxes,
    addMailbox,
    deliver,
    remove,
    /** @returns what keeps a change from being made */
    update: (id: string, changes: Arguments) => traits.refuseChange?.(id) ?? patch(id, changes),
    findChanges,
    /** Removes an empty mailbox, or changes it, as another client does. */
    changeMailbox(id: string, fields: Partial<FakeMailbox> | 'remove'): void {
      const mailbox = mailboxes.get(id);
      if (mailbox === undefined) throw new Error('There is no such mailbox');
      if (fields === 'remove') mailboxes.delete(id);
      else Object.assign(mailbox, fields);
      if (traits.takesEmailToGoneMailboxes) state += 1;
      if (traits.takesEmailToGoneMailboxes && fields === 'remove') oldestState = state;
    },
    /** Changes an email as another client does: paths of a patch, and whether they are set. */
    change(id: string, changes: Record<string, true | null>): void {
      const error = patch(id, changes);
      if (error !== undefined) throw new Error(`The change was refused: ${error}`);
    },
    /** The present state of the emails. */
    state: () => toState(state),
    /** Forgets which changes there were up to now. */
    expireChanges(): void {
      oldestState = state + 1;
      state += 1;
    },
    /** Forgets what changed since any state, the present one included. */
    tellNoChanges(): void {
      oldestState = Number.POSITIVE_INFINITY;
    },
    /** Takes the account back to an older state, as a restored backup does. */
    rewind(toState: number): void {
      state = toState;
    },
  };
};

export type FakeAccount = ReturnType<typeof createFakeAccount>;
