import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from './ask.ts';
import type { Row } from './campaign.ts';
import {
  type FaultStack,
  type FaultStackOptions,
  type Member,
  startFaultStack,
  type User,
} from './fault-stack.ts';
import { ONE_CLIENT_FOR_MANY } from './steady-load.ts';

/** A user's changes run one at a time: one user alone would wait in line for a slow machine. */
const USERS = 16;

/** Starts a stack with several users, whose mailboxes are empty, and without limits per address. */
export const startWithUsers = async (
  options: FaultStackOptions,
): Promise<{ stack: FaultStack; users: User[] }> => {
  const emails = Array.from({ length: USERS }, (_, index) => `user-${index}@example.com`);
  const mail = Object.fromEntries(emails.map((email) => [email, []]));
  const stack = await startFaultStack({ ...options, apiEnv: ONE_CLIENT_FOR_MANY, mail });
  const users: User[] = [];
  for (const email of emails) users.push(await stack.signIn(email));
  return { stack, users };
};

/** Rejects suggestions of the users in turn, each of another email, and remembers what was confirmed. */
export const createRejections = ({ stack, users }: { stack: FaultStack; users: readonly User[] }) => {
  const confirmed = new Map(users.map(({ userId }) => [userId, [] as string[]]));
  // A scenario that is tried again on the same stack confirms other emails than before.
  const run = randomUUID();
  let requests = 0;
  return {
    /** @param send - sends the request of a user: to the API given, or through a balancer */
    async reject(send: (user: User, path: string, json: object) => Promise<Reply>): Promise<Reply> {
      const user = users[requests % users.length];
      if (user === undefined) throw new Error('nobody is signed in');
      requests += 1;
      const emailId = `mail-${run}-${requests}`;
      const json = { emailIds: [emailId], action: 'reject' };
      const reply = await send(user, '/api/v1/notifications/confirm', json);
      if (reply.status === 200) confirmed.get(user.userId)?.push(emailId);
      return reply;
    },
    /** Holds what was confirmed against history and timeline. */
    async judge(row: Row): Promise<void> {
      for (const [userId, emailIds] of confirmed) {
        const judged = await stack.judgeConfirmed(userId, emailIds);
        row.lost(judged.lostRecords + judged.lostInTimeline);
        row.doubled(judged.doubledRecords + judged.doubledInTimeline);
        expect(judged).toEqual({
          lostRecords: 0,
          doubledRecords: 0,
          lostInTimeline: 0,
          doubledInTimeline: 0,
        });
      }
    },
  };
};

/** The members of a list in turn. */
export const inTurn = (members: readonly Member[]): (() => Member) => {
  let asked = 0;
  return () => {
    const member = members[asked % members.length];
    if (member === undefined) throw new Error('there is none');
    asked += 1;
    return member;
  };
};
