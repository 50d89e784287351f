import { ErrorCode } from 'bullmq';

/** The job was removed, or another process changed its state. */
const STATE_CHANGED: readonly unknown[] = [ErrorCode.JobNotExist, ErrorCode.JobNotInState];

/**
 * Acts on a job that was in a certain state a moment ago. Workers and operators may change it at the same time.
 *
 * @returns false when the job was removed or is in another state by now
 */
export const unlessStateChanged = async (act: () => Promise<void>): Promise<boolean> => {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && STATE_CHANGED.includes(error.code)) return false;
    throw error;
  }
};
