import { expect, it } from 'vitest';
import { createCrashGuard, resetCrashCount } from './crash-guard.ts';
import { PermanentFailureError } from './queues.ts';

it('runs jobs concurrently that crashed no worker', async () => {
  const guard = createCrashGuard();
  const begun: string[] = [];
  void guard(jobOf(0), () => neverEnding(begun, 'first'));
  void guard(jobOf(0), () => neverEnding(begun, 'second'));
  expect(begun).toEqual(['first', 'second']);
});

it('gives up a job that crashed three workers, without running it again', async () => {
  const job = jobOf(1);
  await crashOn(job);
  await crashOn(job);
  const error = await createCrashGuard()(job, () => Promise.reject(new Error('run again'))).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PermanentFailureError);
  expect(error).toMatchObject({ message: '3 workers died of this job' });
});

it('counts no crash against a job that only waited for its turn when its worker crashed', async () => {
  const job = jobOf(1);
  const guard = createCrashGuard();
  void guard(jobOf(1), () => new Promise(() => undefined));
  for (let crash = 0; crash < 5; crash += 1) {
    void guard(job, () => new Promise(() => undefined));
    job.stalledCounter += 1;
  }
  await expect(createCrashGuard()(job, async () => undefined)).resolves.toBeUndefined();
});

it('counts no crash against a job whose attempts fail without one', async () => {
  const job = jobOf(1);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(
      createCrashGuard()(job, () => Promise.reject(new Error('the database is away'))),
    ).rejects.toThrow('the database is away');
  }
  await expect(createCrashGuard()(job, async () => undefined)).resolves.toBeUndefined();
});

it('starts the next job of a crashed worker when the one before it has ended or keeps running', async () => {
  const guard = createCrashGuard();
  const begun: string[] = [];
  const first = guard(jobOf(1), async () => void begun.push('quick'));
  void guard(jobOf(1), () => neverEnding(begun, 'slow'));
  const last = guard(jobOf(1), async () => void begun.push('last'));
  await first;
  expect(begun).not.toContain('last');
  await last;
  expect(begun).toEqual(['quick', 'slow', 'last']);
});

it('starts the next job of a crashed worker when the one before it has failed', async () => {
  const guard = createCrashGuard();
  const failing = guard(jobOf(1), () => Promise.reject(new Error('no')));
  const next = guard(jobOf(1), async () => undefined);
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBeUndefined();
});

it('resets the crash count of a dead letter that is replayed', async () => {
  const job = jobOf(1);
  await crashOn(job);
  await crashOn(job);
  await resetCrashCount(job);
  await crashOn(job);
  await crashOn(job);
  await expect(createCrashGuard()(job, async () => undefined)).resolves.toBeUndefined();
});

/** A job as the queue hands it out after so many stalls. */
const jobOf = (stalledCounter: number) => ({
  stalledCounter,
  progress: 0 as unknown as object,
  async updateProgress(progress: unknown) {
    this.progress = progress as object;
  },
});

/** A separate worker starts the job and crashes. */
const crashOn = async (job: ReturnType<typeof jobOf>) => {
  const begun = Promise.withResolvers<void>();
  void createCrashGuard()(job, () => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  await begun.promise;
  job.stalledCounter += 1;
};

const neverEnding = (begun: string[], name: string) => {
  begun.push(name);
  return new Promise<void>(() => undefined);
};
