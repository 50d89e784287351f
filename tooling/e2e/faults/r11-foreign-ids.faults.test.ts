import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiDescription, listOperations, type Operation } from './fuzzing/api-description.ts';
import { type FuzzedRequest, withoutQuery } from './fuzzing/fuzzed-request.ts';
import { createValidRequestArbitrary } from './fuzzing/request-arbitrary.ts';
import { ask } from './harness/ask.ts';
import { eventually, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { type Mail, mails } from './harness/google.ts';
import { sessionIdOf } from './harness/session-id.ts';

const EMAILS = { ada: ADA, grace: 'grace@example.com', eve: 'eve@example.com' };
type Name = keyof typeof EMAILS;
const ATTEMPTS = 60;

/** Everything that is kept of a user. */
const TABLES = [
  'ActionHistory',
  'ActionIntent',
  'AuditEntry',
  'EmailSuggestion',
  'MailboxScan',
  'NotificationEvent',
  'OutboxEvent',
  'ProviderConnection',
  'Session',
];

interface Victim extends User {
  name: Name;
  emailIds: string[];
  recordIds: string[];
  scanId: string;
  senderId: string;
  sessionId: string;
}

const row = openRow('R11');

describe('every route of the API’s own document', () => {
  it.each([
    ['ada', 'grace', 'session'],
    ['grace', 'ada', 'session'],
    ['ada', 'eve', 'token'],
  ] as const)(
    'R11 with the ids of %s, %s reads and writes not one byte, with a %s',
    async (victimName, attackerName, credential) => {
      explainFailure(stack);
      const victim = people[victimName];
      const attackerEmail = people[attackerName].email;
      const { userId, scanId, senderId, sessionId } = victim;
      const ids = [...victim.emailIds, ...victim.recordIds, userId, scanId, senderId, sessionId];
      const before = await readState(victim);
      const description = await readDescription();
      const signIn = () =>
        credential === 'token' ? stack.signInProgram(attackerEmail) : stack.signIn(attackerEmail);
      let attacker = await signIn();
      const askAsAttacker = async ({ target, method, value }: FuzzedRequest) => {
        const question = { method, ...(value === undefined ? {} : { json: value }) };
        const reply = await attacker.ask(target, question);
        if (reply.status !== 401) return reply;
        // Some routes end the attacker's own session.
        attacker = await signIn();
        return attacker.ask(target, question);
      };
      /** What the attacker has put into their own data. */
      let written = '';
      /** How many of the victim's records the attacker asked to undo, among others, in vain. */
      let refusedUndos = 0;
      /** Operations that were asked about a scan or a session of the victim's, and those that know none. */
      const asked = new Set<string>();
      const notFound = new Set<string>();
      // Reads come first, while the attacker has nothing foreign of their own doing.
      const operations = listOperations(description).toSorted(
        (a, b) => Number(isRead(b)) - Number(isRead(a)),
      );
      for (const operation of operations) {
        for (const request of sampleValid(description, operation, ids)) {
          const reply = await askAsAttacker(request);
          row.ran();
          expect(reply.status).toBeLessThan(500);
          // What the attacker sent may come back: it is no secret to them.
          const sent = `${request.target} ${JSON.stringify(request.value)}`;
          if (!isRead(operation)) written += sent;
          const told = ids
            .filter((id) => sent.includes(id) || written.includes(id))
            .reduce((text, id) => text.replaceAll(id, ''), reply.text);
          const foreign = [`of-${victimName}`, victim.email, ...ids].filter((text) => told.includes(text));
          expect({ operation: operation.name, foreign }).toEqual({ operation: operation.name, foreign: [] });
          // Responses about a scan or a session hold no text of the victim's: the status alone tells. Rules that only
          // the text of the document states may make a body invalid, before the id counts.
          const needsSession = reply.body?.code === 'session_required';
          if (!needsSession && (request.params.id === scanId || request.params.id === sessionId)) {
            asked.add(operation.name);
            const isInvalid = operation.bodySchema !== undefined && reply.status === 400;
            expect(`${operation.name}: ${reply.status}`).toBe(
              isInvalid ? `${operation.name}: 400` : `${operation.name}: 404`,
            );
            if (!isInvalid) notFound.add(operation.name);
          }
          // Nor is there a record for a user who asks to undo another user's, not even the id of its mail.
          if (operation.path.endsWith('/undo') && reply.status === 200) {
            const results: { id: string }[] = reply.body.results;
            const named = results.filter(({ id }) => victim.recordIds.includes(id));
            expect(named).toEqual(named.map(({ id }) => ({ id, status: 'error', reason: 'not_found' })));
            refusedUndos += named.length;
          }
        }
      }
      expect(refusedUndos).toBeGreaterThan(0);
      expect(notFound).toEqual(asked);
      expect(await readState(victim)).toEqual(before);
      people[attackerName] = await prepare(attackerName);
    },
  );

  const readDescription = async () => (await ask(`${stack.api.url}/openapi.json`)).body as ApiDescription;

  /** Requests as the document describes them, with the given ids wherever one fits: all in turn, and each alone. */
  const sampleValid = (description: ApiDescription, operation: Operation, ids: string[]) => {
    const sample = (known: string[], numRuns: number) =>
      fc.sample(createValidRequestArbitrary(description, operation, known), {
        numRuns,
        seed: inject('faultsSeed'),
      });
    // Its fields may be valid alone and not together.
    const attempts = operation.method === 'PATCH' ? 4 * ATTEMPTS : 1;
    const requests = [...sample(ids, ATTEMPTS), ...ids.flatMap((id) => sample([id], attempts))];
    // A page asked for by number hardly ever hits one that is there.
    const all = [...requests, ...requests.slice(0, 1).map(withoutQuery)];
    // Most ids fit nowhere in most operations: what is then made up is the same for each of them.
    return [
      ...new Map(all.map((request) => [JSON.stringify([request.target, request.value]), request])).values(),
    ];
  };

  /** Everything there is of a user but the time: their rows, and the labels of their mail. */
  const readState = async (user: Victim) => {
    const tables = await Promise.all(
      TABLES.map((table) =>
        stack.query(`SELECT t::text FROM "${table}" t WHERE "userId" = $1 ORDER BY 1`, [user.userId]),
      ),
    );
    const labels = await Promise.all(user.emailIds.map((id) => stack.google.labelsOf(user.email, id)));
    return { tables, labels };
  };

  const prepare = async (name: Name): Promise<Victim> => {
    const user = await stack.signIn(EMAILS[name]);
    await user.ask('/api/v1/suggestions');
    const act = (path: string, id: string, action: string) =>
      user.ask(path, { json: { emailIds: [id], action } });
    const emailIds = mailOf(name).map(({ id }) => id);
    await act('/api/v1/notifications/confirm', emailIds[0] ?? '', 'accept');
    await act('/api/v1/inbox/actions', emailIds[1] ?? '', 'archive');
    const { data } = (await user.ask('/api/v1/notifications/history')).body;
    const scan = await user.ask('/api/v1/scans', { json: {} });
    const senders = await user.ask('/api/v1/senders');
    // The rows stand still once every event is in the timeline.
    await stack.waitUntilFinished();
    return {
      ...user,
      name,
      emailIds,
      recordIds: data.map((record: { id: string }) => record.id),
      scanId: scan.body.id,
      senderId: senders.body.data[0].id,
      sessionId: sessionIdOf(user),
    };
  };

  let stack: FaultStack;
  let people: Record<Name, Victim>;
  beforeAll(async () => {
    stack = await startFaultStack({
      hasWebhook: false,
      // Scans that the attacker starts write the attacker's rows, not the victim's; but the two take turns.
      workerEnv: { TOKEN_ENCRYPTION_KEY: '', OAUTH_CLIENT_ID: '', OAUTH_CLIENT_SECRET: '', ML_BASE_URL: '' },
      mail: Object.fromEntries(Object.entries(EMAILS).map(([name, email]) => [email, mailOf(name)])),
    });
    stack.ml.behave(suggestByName);
    people = { ada: await prepare('ada'), grace: await prepare('grace'), eve: await prepare('eve') };
    await eventually(async () =>
      expect(await stack.query('SELECT FROM "OutboxEvent" WHERE "publishedAt" IS NULL')).toEqual([]),
    );
  });
});

const isRead = ({ method }: Operation): boolean => method === 'GET';

/** Suggestions that say whose mail they are for, in other words than its id. */
const suggestByName = respondWithSuggestions(({ id }) => [
  { action: 'archive', classification: id.replace('mail', 'bulk'), confidence_score: 0.9 },
]);

const mailOf = (name: string): Mail[] =>
  mails(3, `mail-of-${name}`).map((mail) => ({
    ...mail,
    from: `Shop <shop-of-${name}@shop.example>`,
    subject: `Subject of-${name}`,
    text: `Text of-${name}`,
  }));
