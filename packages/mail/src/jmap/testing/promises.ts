import { SERVERS, type ServerName } from './fake-jmap/profiles.ts';

/** How a promise is known to hold at a server: by tests at the real one, or at its profile; or why it is not kept. */
export type Proof = 'real' | 'profile' | 'not possible' | 'unknown';

interface ServerPromise {
  promise: string;
  proof: Readonly<Record<ServerName, Proof>>;
}

const everywhere: ServerPromise['proof'] = {
  Cyrus: 'real',
  Stalwart: 'profile',
  James: 'profile',
  Fastmail: 'profile',
};

/**
 * What Mailsweep promises, and where that is proven. The first three are the contract suite (mailbox-contract.test.ts), at
 * the real Cyrus the fault campaign (R49) besides; promises.test.ts proves the others at each profile.
 */
export const PROMISES = {
  reading: {
    promise: 'Lists, filters, counts and conversations are complete',
    proof: everywhere,
  },
  acting: {
    promise: 'An action does what it says, and undo restores every label',
    proof: everywhere,
  },
  history: {
    promise: 'What others changed is found',
    proof: everywhere,
  },
  deaths: {
    promise: 'After a death in mid-change, each change is recorded once',
    proof: everywhere,
  },
  forgotten: {
    promise: 'A cleanup goes on when the server has forgotten all states',
    proof: everywhere,
  },
  races: {
    promise: 'An email that another client moves in that very moment stays there',
    proof: { ...everywhere, James: 'not possible' },
  },
  push: {
    promise: 'New email is seen at once',
    proof: { Cyrus: 'not possible', Stalwart: 'profile', James: 'unknown', Fastmail: 'not possible' },
  },
} as const satisfies Record<string, ServerPromise>;

/** The promises as a table in Markdown. */
export const toPromiseTable = (): string =>
  [
    ['', ...SERVERS],
    ['', ...SERVERS].map(() => '---'),
    ...Object.values(PROMISES).map(({ promise, proof }) => [promise, ...SERVERS.map((name) => proof[name])]),
  ]
    .map((cells) => `|${cells.join('|')}|\n`)
    .join('');
