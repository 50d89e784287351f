import type { NewJob } from '@mailsweep/event-bus';
import { z } from 'zod';

/** What a job of the queue `mailbox-scan` says: the step of the scan that it is to take, counted from 0. */
export const ScanJobDataSchema = z.object({
  scanId: z.uuid(),
  userId: z.uuid(),
  page: z.number().int().min(0),
});

/** The job that takes a step of a scan; its id is that of the step, so that no step waits in the queue twice. */
export const toScanJob = (data: z.infer<typeof ScanJobDataSchema>): NewJob => ({
  id: `${data.scanId}-${data.page}`,
  name: 'scan-page',
  data,
});
