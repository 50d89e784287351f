import { rmSync } from 'node:fs';
import { writeFileAtomically } from '@mailsweep/service-kit';

/** The parts that a stack may start; each needs none but those before it. */
export const PART_NAMES = ['database', 'google', 'webhookInbox', 'ml', 'worker', 'api', 'web'] as const;
export type PartName = (typeof PART_NAMES)[number];

export type PartPids = Partial<Record<PartName, number>>;

/** Where the parts are; null for those that there are none of. */
export interface StackAddresses {
  api: string;
  web: string | null;
  ml: string;
  google: string | null;
  webhookInbox: string | null;
  /** Of the set-up; its token is a secret. */
  setup: string | null;
  database: string;
  redis: string | null;
}

/** Shows other programs where a running stack is: a file that exists only while every part responds. */
export const createStackFile = (options: { path: string; pid: number; addresses: StackAddresses }) => {
  const { path, pid, addresses } = options;
  let isPublished = false;
  return {
    /** Writes the file, or brings it up to date. */
    publish: (pids: PartPids): void => {
      isPublished = true;
      writeFileAtomically(path, `${JSON.stringify({ ...addresses, pid, pids }, null, 2)}\n`);
    },
    /** As publish, but only when the file is there. */
    refresh(pids: PartPids): void {
      if (isPublished) this.publish(pids);
    },
    remove: (): void => {
      isPublished = false;
      rmSync(path, { force: true });
    },
  };
};
export type StackFile = ReturnType<typeof createStackFile>;
