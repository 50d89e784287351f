import { mailboxOf, message } from '@mailsweep/google-sandbox/testing';
import type { TestProject } from 'vitest/node';
import { openGmail } from './gmail-client.ts';
import type { LiveAccount } from './live-test.ts';
import { openSandboxOwner } from './sandbox-owner.ts';
import { fillWorkspace } from './workspace.ts';

/** More than two batches of what is read at a time. */
const MESSAGES = 60;
/** No limit: the sandbox has no quota either. */
const UNITS_PER_MINUTE = 1_000_000;

/** Starts a sandbox with Gmail's known behaviour, unless the command has opened a real mailbox. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (project.getProvidedContext().gmailAccount !== undefined) return undefined;
  const owner = await openSandboxOwner(mailboxOf(message('m1')), { faithful: true, historyDelayMs: 700 });
  const { accessToken, facts } = await owner.signIn({ untickedTimes: 1 });
  const access = { gmailUrl: owner.url, accessToken, unitsPerMinute: UNITS_PER_MINUTE };
  const { createClient, refusals } = openGmail(access);
  const workspace = await fillWorkspace(createClient(), { messages: MESSAGES, onInserted: () => undefined });
  const account: LiveAccount = {
    ...access,
    signIn: facts,
    answers: {},
    workspace,
    refusals,
    historyReadsMs: [0, 1_000, 2_000],
  };
  project.provide('gmailAccount', account);
  return owner.close;
};
