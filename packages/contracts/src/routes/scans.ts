import {
  ListScansResponseSchema,
  ScanParamsSchema,
  ScanSchema,
  StartScanRequestSchema,
} from '../scans/scan.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection } from './route-contract.ts';

export const SCANS_SECTION = defineSection({
  tag: 'Scans',
  description:
    'Scan the whole mailbox in the background, and follow the scan. What it finds is in the stored suggestions and in the list of senders.',
  routes: {
    startScan: {
      method: 'post',
      path: '/api/v1/scans',
      access: 'act',
      confirmation: 'not_needed',
      body: StartScanRequestSchema,
      response: ScanSchema,
      accepts: true,
      idempotent: true,
      summary: 'Start a scan',
      description: [
        'Starts a scan of the whole mailbox (`scope` `all`, the default) or of the inbox, and returns it with 202. A user has at most one scan in flight: while there is one, the response is 200 with that scan, whatever its scope. The body may be left out.',
        'The scan runs in the background and survives restarts. It pauses by itself (`state` `waiting`, `error` says why) while the mail provider or the classification service is unavailable or the quota is used up. Emails that could not be classified are counted in `unclassified`. One `domain.suggestions.generated` event covers the whole scan.',
        'A user starts at most 20 scans per minute, and the next one at the earliest 30 seconds after one was cancelled; further requests return 429 `too_many_scans`.',
      ],
    },
    listScans: {
      method: 'get',
      path: '/api/v1/scans',
      access: 'read',
      query: PaginationQuerySchema,
      response: ListScansResponseSchema,
      summary: 'List scans',
      description: ['Returns the scans of the user, newest first, 20 on a page by default and at most 100.'],
    },
    getScan: {
      method: 'get',
      path: '/api/v1/scans/{id}',
      access: 'read',
      params: ScanParamsSchema,
      response: ScanSchema,
      conditional: true,
      summary: 'Get a scan',
      description: [
        "Returns the state and progress of a scan. `total` is the number of emails that the mail provider reported when the scan began, 0 while it is not known. `etaSeconds` is the time left by the number of emails and the pace so far; in the first minute, by the pace that Gmail's quota allows.",
        '`completed`, `failed` and `cancelled` are final. A `waiting` scan resumes automatically. A scan of another user returns 404.',
        'To follow a scan, request it about once a second; with `If-None-Match`, the response is 304 without a body until something has changed.',
      ],
    },
    cancelScan: {
      method: 'post',
      path: '/api/v1/scans/{id}/cancel',
      access: 'act',
      confirmation: 'not_needed',
      params: ScanParamsSchema,
      response: ScanSchema,
      idempotent: true,
      summary: 'Cancel a scan',
      description: [
        'Ends a scan that is queued, running or waiting. What it has found so far stays. A scan that has ended already is returned as it is.',
      ],
    },
  },
});
