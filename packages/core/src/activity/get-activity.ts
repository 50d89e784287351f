import { type Activity, SUMMARY_WINDOW_HOURS, type SummaryPeriod } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { summarizeCleaning } from './activity.repository.ts';
import { listInboxSizes } from './inbox-size.repository.ts';

/** What a user has done with Mailsweep, and how the inbox has changed meanwhile. */
export const getActivity = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<Activity> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const [cleaning, inboxSizes] = await Promise.all([
    summarizeCleaning(database, userId, hours),
    listInboxSizes(database, userId, hours),
  ]);
  return { period: period ?? null, ...cleaning, inboxSizes };
};
