import { API_ROUTES, type Scan } from '@mailsweep/contracts';
import type { Router } from 'express';
import { createProblem } from '../../http/create-problem.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** Starting, reading and ending the scan of a whole mailbox. */
export const addScanRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.startScan, async ({ caller, body, accept, idempotency }) => {
    const { scan, isNew } = await useCases.startScan(caller.userId, body, idempotency);
    if (isNew) accept();
    return scan;
  });

  bind(router, API_ROUTES.listScans, ({ caller, query }) => useCases.listScans(caller.userId, query));

  bind(router, API_ROUTES.getScan, async ({ caller, params, setETag }) => {
    const scan = requireScan(await useCases.findScan(caller.userId, params.id));
    setETag(scan);
    return scan;
  });

  bind(router, API_ROUTES.cancelScan, async ({ caller, params }) =>
    requireScan(await useCases.cancelScan(caller.userId, params.id)),
  );
};

const requireScan = (scan: Scan | null): Scan => {
  if (scan === null) throw createProblem('not_found', 'There is no such scan of yours.');
  return scan;
};
