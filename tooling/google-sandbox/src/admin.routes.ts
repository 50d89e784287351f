import express, { type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { BehaviourChangeSchema, type BehaviourSettings } from './behaviour.ts';
import { FaultSchema, type Faults } from './limits/faults.ts';
import type { QuotaUsage } from './limits/quota.ts';
import { type MailboxChanges, SetAsideSchema } from './mailbox/mailbox-changes.ts';
import type { RequestLog } from './request-log.ts';

const UserQuerySchema = z.strictObject({ user: z.email().optional() });

/** A route for one user, whom the query names, or for all. */
const forUser =
  (respond: (response: Response, user: string | undefined) => void): RequestHandler =>
  (request, response) => {
    const query = UserQuerySchema.safeParse(request.query);
    if (query.success) respond(response, query.data.user);
    else response.status(400).json({ error: z.prettifyError(query.error) });
  };

const withBody = <T extends z.ZodType>(
  schema: T,
  respond: (response: Response, body: z.output<T>) => void,
): RequestHandler[] => [
  express.json(),
  (request, response) => {
    const body = schema.safeParse(request.body);
    if (body.success) respond(response, body.data);
    else response.status(400).json({ error: z.prettifyError(body.error) });
  },
];

/** Routes for tests: order faults, change how the sandbox behaves, and see what was asked of the provider. */
export const createAdminRouter = (options: {
  faults: Faults;
  behaviour: BehaviourSettings;
  changes: MailboxChanges;
  log: RequestLog;
  usage: QuotaUsage;
}): Router => {
  const { faults, behaviour, changes, log, usage } = options;
  const router = express.Router();

  router.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/faults', (_request, response) => {
    response.json(faults.list());
  });
  router.post(
    '/faults',
    withBody(FaultSchema, (response, fault) => {
      faults.add(fault);
      response.status(201).json(fault);
    }),
  );
  router.delete(
    '/faults',
    forUser((response, user) => {
      faults.clear(user);
      response.status(204).end();
    }),
  );
  router.get('/behaviour', (_request, response) => {
    response.json(behaviour.now);
  });
  router.patch(
    '/behaviour',
    withBody(BehaviourChangeSchema, (response, change) => {
      behaviour.change(change);
      response.json(behaviour.now);
    }),
  );
  router.delete('/behaviour', (_request, response) => {
    behaviour.reset();
    response.status(204).end();
  });
  router.patch(
    '/set-aside',
    withBody(z.record(z.string(), SetAsideSchema.nullable()), (response, setAside) => {
      changes.note({ setAside });
      response.status(204).end();
    }),
  );
  router.get(
    '/requests',
    forUser((response, user) => void response.json(log.list(user))),
  );
  router.delete(
    '/requests',
    forUser((response, user) => {
      log.clear(user);
      response.status(204).end();
    }),
  );
  router.post('/quota/marks', (_request, response) => {
    response.status(201).json({ mark: usage.mark() });
  });
  router.get('/quota', (request, response) => {
    const { since } = request.query;
    const report = usage.report(since === undefined ? undefined : Number(since));
    if (report === undefined) {
      response.status(404).json({ error: 'There is no such mark.' });
      return;
    }
    response.json(report);
  });
  return router;
};
