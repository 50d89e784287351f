import { parseArgs } from 'node:util';
import { ConfigError, createLogger, loadConfig, runService } from '@mailsweep/service-kit';
import { readSettings } from './config.ts';
import { startGoogleSandbox } from './start-google-sandbox.ts';

/** Each option, the variable that means the same, and what the usage says. */
const OPTIONS = {
  port: ['PORT', '<port>', 'where it listens on 127.0.0.1 (4010)'],
  accounts: [
    'SANDBOX_ACCOUNTS',
    '<address,address>',
    'who has a mailbox; ada@, grace@, katherine@, dorothy@ and mary@example.com by default',
  ],
  clients: [
    'SANDBOX_OAUTH_CLIENTS',
    '<json>',
    '[{ "clientId", "clientSecret", "redirectUris" }] (sandbox-client, sandbox-secret, the callback on port 3000)',
  ],
  'unsubscribe-origin': [
    'SANDBOX_UNSUBSCRIBE_ORIGIN',
    '<url>',
    'https origin where one-click addresses of seeded email lead',
  ],
  behaviour: ['SANDBOX_BEHAVIOUR', '<json>', 'settings of the README, such as {"faithful":true}'],
  'quota-units': ['SANDBOX_QUOTA_UNITS_PER_MINUTE', '<number>', 'per minute, 6000 at Gmail (no limit)'],
  'concurrent-calls': ['SANDBOX_CONCURRENT_CALLS', '<number>', 'per user, 0 for no limit (25)'],
  latency: ['SANDBOX_LATENCY_MS', '<ms>', 'least duration of each call (0)'],
  'access-token-ttl': ['SANDBOX_ACCESS_TOKEN_TTL_SECONDS', '<seconds>', 'life of an access token (3600)'],
  'changes-file': ['SANDBOX_CHANGES_FILE', '<file>', 'keeps mailboxes, history and consents over restarts'],
  'token-key': ['SANDBOX_TOKEN_KEY', '<base64>', '32 bytes; keeps tokens valid over restarts'],
} as const satisfies Record<string, [variable: string, value: string, meaning: string]>;

const usage = (): string =>
  [
    'Usage: node tooling/google-sandbox/src/main.ts [options]',
    '',
    'Google sign-in and Gmail for offline work. Every option has a variable of the same meaning.',
    '',
    ...Object.entries(OPTIONS).map(
      ([name, [variable, value, meaning]]) => `  --${name} ${value}\n      ${meaning}; ${variable}`,
    ),
    '  --help',
    '',
  ].join('\n');

const NAMES = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[];

const readFlags = (): Record<string, string> => {
  const strings = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ options: { ...strings, help: { type: 'boolean' } } });
    const given: Record<string, string | boolean | undefined> = values;
    if (given.help === true) {
      process.stdout.write(usage());
      process.exit(0);
    }
    return Object.fromEntries(
      NAMES.flatMap((name) => (given[name] === undefined ? [] : [[OPTIONS[name][0], String(given[name])]])),
    );
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}\n\n${usage()}`);
  }
};

const settings = loadConfig(() => readSettings(readFlags()), { takesWords: true });
const logger = createLogger({ service: 'google-sandbox', level: settings.LOG_LEVEL });

await runService({
  logger,
  start: async ({ onClose }) => {
    const sandbox = await startGoogleSandbox(settings);
    onClose('google sandbox', sandbox.close);
    logger.info({ url: sandbox.url }, 'the Google sandbox listens');
  },
});
