import {
  ConfigError,
  type ConfigIssue,
  deliveryVariables,
  findSuspectVariables,
  parseConfig,
  readParts,
  readPushConfig,
  VARIABLES,
} from '@mailsweep/service-kit';
import { z } from 'zod';
import { readConfig } from '../../config.ts';
import type { DoctorContext, Environment } from '../context.ts';
import { error, type Finding, type Findings, faultsOr, ok, skipped, warning } from '../finding.ts';

const KEY = /(_KEY|_SECRET)(_PREVIOUS)?$/;
const PUSH = /^VAPID_/;
/** Random keys of 32 bytes have some thirty. */
const FEWEST_DIFFERENT_BYTES = 16;

/** How to make what random secrets are made of. */
const RANDOM_KEY = `node -p "crypto.randomBytes(32).toString('base64')"`;
const REMEDIES: Record<string, string> = {
  TOKEN_ENCRYPTION_KEY: `Make one with: ${RANDOM_KEY}`,
  INTERNAL_JWT_SECRET: `Make one with: ${RANDOM_KEY}`,
  TOKEN_ENCRYPTION_KEY_PREVIOUS: 'Set the key that was in use before the rotation, or remove it.',
  WEBHOOK_SIGNING_SECRET: `Make one with: node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`,
  OAUTH_CLIENT_ID: 'Take it from the Google Cloud console (README, "Connect a real Gmail account").',
  OAUTH_CLIENT_SECRET: 'Take it from the Google Cloud console (README, "Connect a real Gmail account").',
  DATABASE_URL:
    'Set postgresql://user:password@host:5432/database, or DB_HOST, DB_USER, DB_PASSWORD and DB_NAME.',
};
const VAPID_REMEDY =
  'Make a pair as docs/OPERATIONS.md, "Send notifications", says, and set both keys and a subject.';

/** What API and worker say at their start: the worker needs what the API needs, and what it sends by. */
const readIssues = (env: Environment): readonly ConfigIssue[] => {
  try {
    readParts(
      () => readConfig(env),
      () => parseConfig(z.object(deliveryVariables), env),
      () => readPushConfig(env),
    );
    return [];
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.issues;
    throw cause;
  }
};

/** The faults of API and worker, each variable once. */
const findIssues = ({ env, fileIssues, provided }: DoctorContext): ConfigIssue[] => {
  const issues = readIssues(env);
  const unique = new Map([...fileIssues, ...issues].map((issue) => [issue.variable, issue]));
  return [...unique.values()].filter(({ variable }) => !provided.has(variable));
};

const toFinding = ({ variable, message }: ConfigIssue): Finding =>
  error({
    variable,
    message: `${variable} ${message}.`,
    why: 'API or worker do not start.',
    fix:
      REMEDIES[variable] ??
      (PUSH.test(variable) ? VAPID_REMEDY : 'docs/OPERATIONS.md, "Set variables", says what it is for.'),
  });

/** What `docker run --env-file` and Kubernetes take for a part of the value, and what editors leave behind. */
const findStrayCharacters = ({ env }: DoctorContext): Findings =>
  VARIABLES.flatMap((variable) => {
    const value = env[variable] ?? '';
    const isQuoted = value.length > 1 && ['"', "'"].includes(value.charAt(0)) && value.at(-1) === value[0];
    if (!isQuoted && value.trim() === value) return [];
    return warning({
      variable,
      message: `The value of ${variable} ${isQuoted ? 'is in quotes' : 'begins or ends with white space'}.`,
      why: 'docker run --env-file and Kubernetes take that for a part of the value.',
      fix: 'Remove it from the value.',
    });
  });

const findSuspects = ({ env }: DoctorContext): Findings =>
  findSuspectVariables(env).map(({ variable, message, didYouMean }) =>
    warning({
      variable,
      message: `${message[0]?.toUpperCase()}${message.slice(1)}`,
      why: 'It has no effect.',
      fix: didYouMean ? `Rename it to ${didYouMean}.` : 'Remove it.',
    }),
  );

/** What stands in examples for a value that was never put in. */
const PLACEHOLDERS = [/change.?me|your[-_ ]|\bxxx|…|\.\.\.|\$\{|\{\{/i, /^<.*>$/];

const findPlaceholders = ({ env }: DoctorContext): Findings =>
  VARIABLES.flatMap((variable) =>
    PLACEHOLDERS.some((placeholder) => placeholder.test(env[variable] ?? ''))
      ? warning({
          variable,
          message: `The value of ${variable} looks like that of an example.`,
          why: 'Nothing that it stands for is found.',
          fix: 'Put the real value in; where it names another variable, nothing has replaced that.',
        })
      : [],
  );

/** What numbers are plausible, and what comes of others. */
const RANGES = [
  ['ML_TIMEOUT_MS', 500, 60_000, 'Either no answer comes in time, or people wait for minutes.'],
  ['SESSION_TTL_HOURS', 0.25, 8_760, 'People are signed out again and again.'],
  ['API_RATE_LIMIT_PER_MINUTE', 60, 1_000_000, 'The web app alone sends more: people get 429.'],
  ['AUTH_RATE_LIMIT_PER_MINUTE', 5, 1_000_000, 'A few sign-ins behind one address shut out the others.'],
  ['SUGGESTIONS_PUBLISH_THRESHOLD', 0, 1_000, 'No page has so many suggestions: no event is ever published.'],
] as const;

/** Values that are well-formed, and with which hardly anything works. */
const findImplausible = ({ env, values }: DoctorContext): (Finding | false)[] => {
  const outside = ([variable, least, most, why]: (typeof RANGES)[number]) => {
    const value = values[variable];
    return (
      value !== undefined &&
      (value < least || value > most) &&
      warning({
        variable,
        message: `${variable} is ${value}.`,
        why,
        fix: `Set something from ${least} to ${most}, or leave it out (docs/OPERATIONS.md, "Set variables").`,
      })
    );
  };
  const noEffect = (variable: string, message: string, fix: string) =>
    warning({ variable, message, why: 'What it should do does not happen.', fix });
  const { DATABASE_URL: url, DB_HOST: host, WORKFLOW_WEBHOOK_URL: webhook } = env;
  const isGoogle = values.OAUTH_ISSUER === 'https://accounts.google.com';
  const { OAUTH_CLIENT_ID: clientId, GMAIL_BASE_URL: gmail } = values;
  return [
    ...RANGES.map(outside),
    env.LOG_LEVEL === 'silent' &&
      noEffect('LOG_LEVEL', 'LOG_LEVEL is silent: nothing is logged.', 'Set info.'),
    url !== undefined &&
      host !== undefined &&
      !url.includes(host) &&
      noEffect(
        'DB_HOST',
        'DB_HOST is set beside DATABASE_URL, which names another server.',
        'Keep one of them.',
      ),
    values.NOTIFICATION_WEBHOOK === true &&
      webhook === undefined &&
      noEffect(
        'NOTIFICATION_WEBHOOK',
        'NOTIFICATION_WEBHOOK is true, and WORKFLOW_WEBHOOK_URL is not set.',
        'Set the address.',
      ),
    isGoogle &&
      clientId !== undefined &&
      !clientId.endsWith('.apps.googleusercontent.com') &&
      warning({
        variable: 'OAUTH_CLIENT_ID',
        message: 'OAUTH_CLIENT_ID does not end with .apps.googleusercontent.com, as Google’s do.',
        why: 'Nobody can sign in.',
        fix: REMEDIES.OAUTH_CLIENT_ID ?? '',
      }),
    clientId !== undefined &&
      gmail !== undefined &&
      values.OAUTH_ISSUER !== undefined &&
      isGoogle !== (gmail === 'https://gmail.googleapis.com') &&
      error({
        variable: isGoogle ? 'OAUTH_ISSUER' : 'GMAIL_BASE_URL',
        message: `Users sign in at ${values.OAUTH_ISSUER}, and their mailboxes are opened at ${gmail}.`,
        why: 'Tokens of the one are of no use at the other.',
        fix: 'Leave out both for Google, or set both for a stand-in.',
      }),
  ];
};

export const checkVariables = (context: DoctorContext): Findings => {
  const faulty = findIssues(context).filter(({ variable }) => !KEY.test(variable) && !PUSH.test(variable));
  return faultsOr(
    'None is missing, malformed or unknown.',
    ...faulty.map(toFinding),
    findStrayCharacters(context),
    findSuspects(context),
    findPlaceholders(context),
    ...findImplausible(context),
  );
};

export const checkKeys = (context: DoctorContext): Findings => {
  const { env, values } = context;
  const { TOKEN_ENCRYPTION_KEY: key, TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = values;
  const faulty = findIssues(context).filter(({ variable }) => KEY.test(variable) && !PUSH.test(variable));
  return faultsOr(
    'Lengths and formats are right.',
    ...faulty.map(toFinding),
    key !== undefined &&
      new Set(key).size < FEWEST_DIFFERENT_BYTES &&
      warning({
        variable: 'TOKEN_ENCRYPTION_KEY',
        message: 'TOKEN_ENCRYPTION_KEY is not random.',
        why: 'It protects the tokens with which mailboxes are opened.',
        fix: `${REMEDIES.TOKEN_ENCRYPTION_KEY}; docs/OPERATIONS.md, "Rotate keys", says how to change it.`,
      }),
    key !== undefined &&
      previous?.equals(key) === true &&
      warning({
        variable: 'TOKEN_ENCRYPTION_KEY_PREVIOUS',
        message: 'TOKEN_ENCRYPTION_KEY_PREVIOUS is the same as TOKEN_ENCRYPTION_KEY.',
        why: 'What was encrypted with another key cannot be read.',
        fix: 'Set the key that was in use before the rotation, or remove it.',
      }),
    key !== undefined &&
      env.INTERNAL_JWT_SECRET === env.TOKEN_ENCRYPTION_KEY &&
      warning({
        variable: 'INTERNAL_JWT_SECRET',
        message: 'INTERNAL_JWT_SECRET is the same as TOKEN_ENCRYPTION_KEY.',
        why: 'The classification service then has the key that opens mailboxes.',
        fix: `${REMEDIES.INTERNAL_JWT_SECRET}; set it there, too.`,
      }),
  );
};

/** The pair belongs together, and the subject is one that push services accept. */
export const checkPushKeys = (context: DoctorContext): Findings => {
  const faulty = findIssues(context).filter(({ variable }) => PUSH.test(variable));
  if (faulty.length > 0) return faulty.map(toFinding);
  return context.env.VAPID_PUBLIC_KEY === undefined
    ? [skipped('None is set: nothing is sent to browsers.')]
    : [ok('The pair belongs together, and the subject is acceptable.')];
};
