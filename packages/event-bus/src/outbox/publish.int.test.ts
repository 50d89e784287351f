import { DOMAIN_EVENTS, DomainEventHeadSchema, DomainEventSchema } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainEvents } from '../testing/index.ts';
import { publish } from './outbox.repository.ts';

describe('publishing a domain event', () => {
  it('writes the event itself, without an envelope, under an id that sorts by time', async () => {
    const event = domainEvents.generated();
    const id = await publishNow(event);
    const [row] = await db.query('SELECT * FROM "OutboxEvent" WHERE id = $1', [id]);
    expect(row).toMatchObject({ type: event.type, userId: event.userId, payload: event, publishedAt: null });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect((await publishNow(event)) > id).toBe(true);
  });

  it('stores nothing when the transaction is rolled back', async () => {
    const before = await countOutbox();
    const rolledBack = db.database.$transaction(async (tx) => {
      await publish(tx, DOMAIN_EVENTS.SUGGESTION_CONFIRMED, domainEvents.confirmed());
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await countOutbox()).toBe(before);
  });

  it('refuses an event under the name of another', async () => {
    const mislabelled = db.database.$transaction((tx) =>
      publish(tx, DOMAIN_EVENTS.SUGGESTION_CONFIRMED, domainEvents.generated()),
    );
    await expect(mislabelled).rejects.toThrow("can't be published as domain.suggestions.confirmed");
  });

  it('R14: stores any text that an email or the classification service contains', async () => {
    await fc.assert(
      fc.asyncProperty(HOSTILE_TEXT, HOSTILE_TEXT, async (subject, classification) => {
        const event = domainEvents.generated({ subject });
        event.summary.classificationCounts = { [classification]: 1 };
        const id = await publishNow(event);
        const [row] = await db.query<{ payload: unknown }>(
          'SELECT payload FROM "OutboxEvent" WHERE id = $1',
          [id],
        );
        expect(DomainEventSchema.safeParse(row?.payload).success).toBe(true);
        const { summary } = DomainEventHeadSchema.parse(row?.payload);
        await db.query('SELECT $1::jsonb', [JSON.stringify(summary)]);
      }),
      { numRuns: 200 },
    );
  });
});

const HOSTILE_TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u0000', '\ud83c', '\udf37', '\u202e', '\u2028', '"', '\\', '\\u0000', '__proto__'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 30,
});

const publishNow = (event: ReturnType<typeof domainEvents.generated>) =>
  db.database.$transaction((tx) => publish(tx, event.type, event));

const countOutbox = async () => (await db.query('SELECT id FROM "OutboxEvent"')).length;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
