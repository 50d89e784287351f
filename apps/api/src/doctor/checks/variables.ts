import { ConfigError, type ConfigIssue, findSuspectVariables, VARIABLES } from '@mailsweep/service-kit';
import { readConfig as readWorkerConfig } from '@mailsweep/worker/config';
import { readConfig as readApiConfig } from '../../config.ts';
import type { DoctorContext } from '../context.ts';
import { error, type Finding, faultsOr, ok, skipped, warning } from '../finding.ts';

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

const issuesOf = (read: () => unknown): readonly ConfigIssue[] => {
  try {
    read();
    return [];
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.issues;
    throw cause;
  }
};

/** What API and worker would say at their start, each variable once. */
const findIssues = ({ env, fileIssues, provided }: DoctorContext): ConfigIssue[] => {
  const issues = [readApiConfig, readWorkerConfig].flatMap((read) => issuesOf(() => read(env)));
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
const findStrayCharacters = ({ env }: DoctorContext): Finding[] =>
  VARIABLES.flatMap((variable) => {
    const value = env[variable] ?? '';
    const isQuoted = /^(["']).*\1$/.test(value);
    if (!isQuoted && value.trim() === value) return [];
    return warning({
      variable,
      message: `The value of ${variable} ${isQuoted ? 'is in quotes' : 'begins or ends with white space'}.`,
      why: 'docker run --env-file and Kubernetes take that for a part of the value.',
      fix: 'Remove it from the value.',
    });
  });

const findSuspects = ({ env }: DoctorContext): Finding[] =>
  findSuspectVariables(env).map(({ variable, message, didYouMean, replacedBy }) => {
    const fix = didYouMean ? `Rename it to ${didYouMean}.` : 'Remove it.';
    const sentence = `${message[0]?.toUpperCase()}${message.slice(1)}`;
    if (replacedBy === undefined)
      return warning({ variable, message: sentence, why: 'It has no effect.', fix });
    const why = 'API and worker do not start while it is set.';
    return error({ variable, message: sentence, why, fix: `Remove it, and set ${replacedBy}.` });
  });

export const checkVariables = (context: DoctorContext): Finding[] => {
  const faulty = findIssues(context).filter(({ variable }) => !KEY.test(variable) && !PUSH.test(variable));
  return faultsOr(
    'None is missing, malformed, unknown or retired.',
    ...faulty.map(toFinding),
    ...findStrayCharacters(context),
    ...findSuspects(context),
  );
};

export const checkKeys = (context: DoctorContext): Finding[] => {
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
export const checkPushKeys = (context: DoctorContext): Finding[] => {
  const faulty = findIssues(context).filter(({ variable }) => PUSH.test(variable));
  if (faulty.length > 0) return faulty.map(toFinding);
  return context.env.VAPID_PUBLIC_KEY === undefined
    ? [skipped('None is set: nothing is sent to browsers.')]
    : [ok('The pair belongs together, and the subject is acceptable.')];
};
