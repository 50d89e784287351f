import type { Cleanup, CleanupPlan } from '../actions/cleanup.ts';

export const CLEANUP_ID = '0197a3c4-4444-7e8f-9a0b-1c2d3e4f5a6b';
export const SENDER_ID = '9f2c'.repeat(16);

export const PLANNED: Cleanup = {
  id: CLEANUP_ID,
  batchId: '0197a3c4-4445-7e8f-9a0b-1c2d3e4f5a6b',
  ruleId: null,
  state: 'planned',
  askedBy: null,
  action: 'archive',
  label: null,
  selection: { type: 'filter', scope: 'inbox', category: 'promotions', olderThan: 30, except: [] },
  total: 3_362,
  isComplete: true,
  sizeBytes: 12_400_000,
  sizeKnown: 410,
  excluded: { starred: 4, conversation: 11 },
  plannedActions: { archive: 3_362 },
  quotaUnits: 260,
  durationSeconds: 16,
  processed: 0,
  changed: 0,
  changedActions: {},
  changedBytes: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  undone: 0,
  error: null,
  createdAt: '2026-02-01T08:00:00.000Z',
  expiresAt: '2026-02-02T08:00:00.000Z',
  startedAt: null,
  updatedAt: '2026-02-01T08:00:00.000Z',
  finishedAt: null,
};
export const SAMPLE: CleanupPlan['sample'] = [
  {
    id: '18c2f0a1b2c3d4e5',
    from: 'Pixel Deals <offers@pixel.example>',
    subject: 'Only today: 40 % off',
    date: '2025-12-20T10:15:00.000Z',
    size: 48_210,
  },
];
export const QUEUED: Cleanup = { ...PLANNED, state: 'queued', updatedAt: '2026-02-01T08:01:00.000Z' };
export const AWAITING: Cleanup = {
  ...QUEUED,
  state: 'awaiting_confirmation',
  askedBy: 'Assistant',
};
export const RUNNING: Cleanup = {
  ...QUEUED,
  state: 'running',
  processed: 2_000,
  changed: 1_998,
  changedActions: { archive: 1_998 },
  changedBytes: 0,
  skipped: 2,
  startedAt: '2026-02-01T08:01:00.000Z',
  updatedAt: '2026-02-01T08:01:05.000Z',
};
export const PAUSED: Cleanup = { ...RUNNING, state: 'paused' };
export const COMPLETED: Cleanup = {
  ...RUNNING,
  state: 'completed',
  processed: 3_362,
  changed: 3_359,
  changedActions: { archive: 3_359 },
  changedBytes: 0,
  skipped: 3,
  updatedAt: '2026-02-01T08:01:10.000Z',
  finishedAt: '2026-02-01T08:01:10.000Z',
};
export const CANCELLED: Cleanup = { ...RUNNING, state: 'cancelled', finishedAt: '2026-02-01T08:01:06.000Z' };
