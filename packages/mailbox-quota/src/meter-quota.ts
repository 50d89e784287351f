import type { QuotaGovernor } from './quota-governor.ts';

/** A governor that reports every unit that is taken through it, so that one piece of work knows what it cost. */
export const meterQuota = (governor: QuotaGovernor, onUnits: (units: number) => void): QuotaGovernor => ({
  withUser: (userId, work) =>
    governor.withUser(userId, (quota) =>
      work({
        ...quota,
        async takeUnits(priority, claim) {
          const taken = await quota.takeUnits(priority, claim);
          onUnits(claim.price);
          return taken;
        },
      }),
    ),
});
