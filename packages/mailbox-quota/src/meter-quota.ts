import type { QuotaGovernor } from './quota-governor.ts';

/** A governor that tells of every unit that is taken through it, so that one piece of work knows what it cost. */
export const meterQuota = (governor: QuotaGovernor, onUnits: (units: number) => void): QuotaGovernor => ({
  withPerson: (userId, work) =>
    governor.withPerson(userId, (quota) =>
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
