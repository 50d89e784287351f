import { ErrorCode } from 'bullmq';

/** The job is gone, or others have brought it into another state. */
const OVERTAKEN: readonly unknown[] = [ErrorCode.JobNotExist, ErrorCode.JobNotInState];

/**
 * Acts on a job that was in a certain state a moment ago. Workers and other people act on it, too.
 *
 * @returns false when it is gone or in another state by now
 */
export const unlessOvertaken = async (act: () => Promise<void>): Promise<boolean> => {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && OVERTAKEN.includes(error.code)) return false;
    throw error;
  }
};
