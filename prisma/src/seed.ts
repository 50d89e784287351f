import { openDatabase } from './client.ts';

/** The sample user of the seed; a fixed id makes seeding repeatable. */
const SAMPLE_USER_ID = '0190f5c0-0000-7000-8000-000000000001';
const SAMPLE_ACTIONS = ['archive', 'delete', 'mark_unread'] as const;
const HOUR_MS = 3_600_000;

const sampleId = (index: number) => `0190f5c0-0000-7000-8000-${(index + 16).toString(16).padStart(12, '0')}`;

/**
 * Writes a sample user with a short history and event timeline, for work on lists and summaries without a
 * mailbox. Running it again changes nothing.
 */
export const seedDatabase = async (options: { databaseUrl: string }): Promise<{ userId: string }> => {
  const database = openDatabase({ ...options, poolSize: 1 });
  const userId = SAMPLE_USER_ID;
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  try {
    await database.user.upsert({
      where: { id: userId },
      update: {},
      create: { id: userId, providerSubject: 'sample', email: 'sample@example.com', name: 'Sample User' },
    });
    await database.actionBatch.createMany({
      skipDuplicates: true,
      data: SAMPLE_ACTIONS.map((action, index) => ({
        id: sampleId(index),
        userId,
        source: 'inbox',
        action,
        startedAt: hoursAgo(index * 20),
        total: 1,
        changed: 1,
      })),
    });
    await database.actionHistory.createMany({
      skipDuplicates: true,
      data: SAMPLE_ACTIONS.map((action, index) => ({
        id: sampleId(index),
        batchId: sampleId(index),
        userId,
        emailId: `sample-${index}`,
        action,
        timestamp: hoursAgo(index * 20),
        details: {
          source: 'inbox',
          gmailResponse: { status: 'ok' },
          note: 'Sample record',
          labelChange: { added: [], removed: [] },
        },
      })),
    });
    await database.notificationEvent.createMany({
      skipDuplicates: true,
      data: [2, 30, 200].map((hours, index) => ({
        id: sampleId(index + 100),
        userId,
        type: 'domain.suggestions.confirmed',
        summary: { totalConfirmed: index + 1, action: 'accept' },
        createdAt: hoursAgo(hours),
        updatedAt: hoursAgo(hours),
      })),
    });
  } finally {
    await database.$disconnect();
  }
  return { userId };
};
