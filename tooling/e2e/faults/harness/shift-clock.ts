/**
 * Preloaded into a process as `shift-clock.ts?minutes=10`: its clock is wrong by so many minutes, from the first
 * line on. Timers, which run on the monotonic clock, are not touched.
 */
const shiftMs = Number(new URL(import.meta.url).searchParams.get('minutes')) * 60_000;
const TrueDate = Date;

class ShiftedDate extends TrueDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [TrueDate.now() + shiftMs] : parts) as [number]));
  }
  static override now(): number {
    return TrueDate.now() + shiftMs;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
