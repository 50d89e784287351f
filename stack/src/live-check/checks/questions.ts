import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Check, Finding } from '../check.ts';

interface Question {
  id: string;
  text: string;
  expected: boolean | undefined;
  toBehaviour?: (answer: boolean) => BehaviourChange;
}

/** What only the owner can see on the screen. `expected: undefined` for what depends on the account. */
const QUESTIONS: readonly Question[] = [
  {
    id: 'unverified-app',
    text: 'Did Google warn that it has not verified the app?',
    expected: undefined,
  },
  {
    id: 'box-ticked',
    text: 'Was the box for Gmail on the consent page ticked before you touched it?',
    expected: false,
    toBehaviour: (mailBoxTicked) => ({ mailBoxTicked }),
  },
  {
    id: 'conversation-view',
    text: 'Open Gmail: does its inbox show the messages "Mailsweep live check …" now?',
    expected: true,
  },
  {
    id: 'tabs',
    text: 'Does your Gmail inbox have tabs (Primary, Promotions, …)?',
    expected: undefined,
  },
  {
    id: 'console-quota',
    text: 'Does the console’s quota page of the Gmail API show 6,000 units per minute per user?',
    expected: true,
  },
];

const toWords = (answer: boolean | undefined): string =>
  answer === undefined ? 'not answered' : answer ? 'yes' : 'no';

const toVerdict = (expected: boolean | undefined, answer: boolean | undefined): Finding['verdict'] => {
  if (answer === undefined) return 'unknown';
  return expected === undefined || expected === answer ? 'same' : 'different';
};

/** Asks the owner of the mailbox for what no call shows. */
export const questionsCheck: Check = {
  title: 'What you see',
  units: () => 0,
  async run({ ask }) {
    const findings: Finding[] = [];
    let behaviour: BehaviourChange = {};
    for (const { id, text, expected, toBehaviour } of QUESTIONS) {
      const answer = await ask(text);
      if (answer !== undefined) behaviour = { ...behaviour, ...toBehaviour?.(answer) };
      findings.push({
        id,
        title: text,
        expected: expected === undefined ? 'either' : toWords(expected),
        observed: toWords(answer),
        verdict: toVerdict(expected, answer),
      });
    }
    return { findings, behaviour };
  },
};
