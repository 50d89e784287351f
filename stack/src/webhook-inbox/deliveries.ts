/** Deliveries stored; the oldest are deleted first. */
const MAX_DELIVERIES = 200;

/** One call of the webhook, as it came in. */
export interface Delivery {
  receivedAt: string;
  /** Header `webhook-id`: the same on every attempt to deliver one event. */
  id: string | null;
  /** verified or forged by the signature; unchecked where no secret is known. */
  signature: 'verified' | 'forged' | 'unchecked';
  /** Status of the response; null for a call without one. */
  status: number | null;
  /** The body, parsed; its text where it is no JSON. */
  body: unknown;
}

export interface Deliveries {
  add(delivery: Delivery): void;
  /** Newest first. */
  list(): Delivery[];
  clear(): void;
}

export const createDeliveries = (): Deliveries => {
  let deliveries: Delivery[] = [];
  return {
    add(delivery) {
      deliveries = [delivery, ...deliveries].slice(0, MAX_DELIVERIES);
    },
    list: () => deliveries,
    clear: () => {
      deliveries = [];
    },
  };
};
