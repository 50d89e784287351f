import {
  type CallPriority,
  type Ceilings,
  COUNTED_MS,
  HOLD_MS,
  MAX_PAUSE_MS,
  PACE_MS,
  type QuotaCharge,
  type QuotaGrant,
  SLOT_MS,
} from '../quota.ts';

export type Slot = { slot: number } & Record<CallPriority, number>;

export interface Ledger {
  /** Oldest first. */
  slots: Slot[];
  pausedUntilMs: number;
  /** Until when background calls stand back for interactive ones. */
  heldUntilMs: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const unitsOf = ({ interactive, background }: Slot): number => interactive + background;

/** A ledger without the units that no longer count. */
export const toCurrentLedger = (ledger: Ledger | undefined, nowMs: number): Ledger => ({
  slots: ledger?.slots.filter(({ slot }) => slot * SLOT_MS + COUNTED_MS > nowMs) ?? [],
  pausedUntilMs: ledger?.pausedUntilMs ?? 0,
  heldUntilMs: ledger?.heldUntilMs ?? 0,
});

/** How long until so many units of these slots have stopped counting; everything, when they hold fewer. */
const waitUntilFreed = (
  slots: readonly { slot: number; units: number }[],
  units: number,
  countedMs: number,
  nowMs: number,
): number => {
  let freed = 0;
  let waitMs = 0;
  for (const { slot, units: counted } of slots) {
    if (freed >= units) break;
    freed += counted;
    waitMs = slot * SLOT_MS + countedMs - nowMs;
  }
  return Math.max(0, waitMs);
};

const computeGrant = (
  ledger: Ledger,
  prices: readonly number[],
  { priority, ceilings, nowMs }: { priority: CallPriority; ceilings: Ceilings; nowMs: number },
) => {
  const isBackground = priority === 'background';
  const isUserActive = ledger.slots.some(({ interactive }) => interactive > 0);
  const ceiling = isBackground && isUserActive ? ceilings.besideUser : ceilings[priority];
  const pace = Math.max(1, ceiling / 10);
  const paced = ledger.slots
    .filter(({ slot }) => slot * SLOT_MS + PACE_MS > nowMs)
    .map(({ slot, background }) => ({ slot, units: background }));
  let total = sum(ledger.slots.map(unitsOf));
  let recent = sum(paced.map(({ units }) => units));
  const blockedUntilMs = Math.max(ledger.pausedUntilMs, isBackground ? ledger.heldUntilMs : 0);
  const slot = Math.floor(nowMs / SLOT_MS);

  const taken = { units: 0, granted: 0 };
  // A call that costs more than a whole minute has to have a minute of its own.
  const payable = prices.map((price) => Math.min(price, ceiling));
  for (const price of blockedUntilMs > nowMs ? [] : payable) {
    if (total + price > ceiling || (isBackground && recent >= pace)) break;
    total += price;
    recent += isBackground ? price : 0;
    taken.units += price;
    taken.granted += 1;
  }

  const refused = payable.slice(taken.granted);
  const waitFor = (units: number): number => {
    const present = { slot, units: taken.units };
    const all = [...ledger.slots.map((each) => ({ slot: each.slot, units: unitsOf(each) })), present];
    const paceWaitMs = isBackground
      ? waitUntilFreed([...paced, present], recent - pace + 1, PACE_MS, nowMs)
      : 0;
    return Math.max(
      blockedUntilMs - nowMs,
      waitUntilFreed(all, total + units - ceiling, COUNTED_MS, nowMs),
      paceWaitMs,
      1,
    );
  };
  return {
    ...taken,
    slot,
    waitMs: refused[0] === undefined ? 0 : waitFor(refused[0]),
    waitForAllMs: refused.length === 0 ? 0 : waitFor(sum(refused)),
  };
};

const add = (ledger: Ledger, slot: number, priority: CallPriority, units: number): void => {
  const last = ledger.slots.at(-1);
  if (last?.slot === slot) last[priority] += units;
  else if (units > 0) ledger.slots.push({ slot, interactive: 0, background: 0, [priority]: units } as Slot);
};

/** Notes what is granted in a current ledger. */
export const takeFromLedger = (
  ledger: Ledger,
  prices: readonly number[],
  options: { priority: CallPriority; ceilings: Ceilings; nowMs: number },
): QuotaGrant => {
  const { priority, nowMs } = options;
  const { units, ...grant } = computeGrant(ledger, prices, options);
  add(ledger, grant.slot, priority, units);
  if (priority === 'interactive' && grant.granted < prices.length) ledger.heldUntilMs = nowMs + HOLD_MS;
  return grant;
};

export const postponeInLedger = (
  ledger: Ledger,
  { slot, units, priority }: QuotaCharge,
  nowMs: number,
): void => {
  const noted = ledger.slots.find((each) => each.slot === slot);
  if (noted !== undefined) noted[priority] = Math.max(0, noted[priority] - units);
  add(ledger, Math.floor(nowMs / SLOT_MS), priority, units);
};

export const pauseLedger = (ledger: Ledger, pauseMs: number, nowMs: number): void => {
  const untilMs = nowMs + Math.min(pauseMs, MAX_PAUSE_MS);
  ledger.pausedUntilMs = Math.max(ledger.pausedUntilMs, untilMs);
};
