import { fingerprintVariables, mailboxAccessVariables } from '@mailsweep/mail/provider-connection';
import { deliveryVariables, mlVariables, pickSharedVariables, VARIABLES } from '@mailsweep/service-kit';
import { apiVariables } from '../config.ts';
import { type DoctorContext, doctorVariables } from './context.ts';
import { error, type Finding } from './finding.ts';

const READ_BY: Record<'API' | 'worker', object> = {
  API: apiVariables,
  worker: {
    ...deliveryVariables,
    ...mailboxAccessVariables,
    ...mlVariables,
    ...Object.fromEntries(VARIABLES.filter((name) => name.startsWith('VAPID_')).map((name) => [name, true])),
  },
};

/** Whether a process for which the variable is not set takes the same value. */
const isDefault = (name: string, value: string | undefined): boolean => {
  const schema = name in doctorVariables && doctorVariables[name as keyof typeof doctorVariables];
  const toText = (text: string | undefined) => {
    const data = schema ? schema.safeParse(text).data : text;
    return JSON.stringify(data instanceof Set ? [...data] : data);
  };
  return toText(value) === toText(undefined);
};

/**
 * Compares these variables with those that a process was started with. What the doctor alone lacks is left out: it may be
 * run with the variables of one process.
 *
 * @param theirs - fingerprints, made with the question
 */
export const compareVariables = (
  { env }: DoctorContext,
  process: 'API' | 'worker',
  question: string,
  theirs: Record<string, string>,
): Finding[] => {
  const shared = pickSharedVariables(env);
  const ours = fingerprintVariables(question, shared);
  const isAmiss = (name: string): boolean => {
    if (!(name in READ_BY[process])) return false;
    if (!(name in ours)) return name === 'REDIS_URL';
    return name in theirs || !isDefault(name, shared[name]);
  };
  return Object.keys({ ...ours, ...theirs })
    .filter((name) => ours[name] !== theirs[name] && isAmiss(name))
    .map((variable) =>
      error({
        variable,
        message: `The ${process} that runs was started with another ${variable} than these variables have${
          variable in theirs ? (variable in ours ? '' : ' (here it is not set)') : ' (there it is not set)'
        }.`,
        why: 'What is checked here is then not what runs; and where API and worker differ, one does not get what the other sends.',
        fix: `Give API and worker the same ${variable}, and restart what has the old one.`,
      }),
    );
};
