import { isDeepStrictEqual } from 'node:util';
import type { MlRequestItem } from '@mailsweep/contracts';
import { manyEmails, USUAL_EMAILS } from '../emails.ts';
import type { Check, Finding } from '../finding.ts';
import { readSuccess } from '../read-response.ts';
import type { Exchange, Service } from '../service.ts';

const AT_ONCE = 8;
const EMAILS_OF_EACH = 50;

const idsOf = (emails: readonly MlRequestItem[]): string[] => emails.map(({ id }) => id);

const read = (exchange: Exchange, emails: readonly MlRequestItem[]) =>
  readSuccess(exchange, idsOf(emails), 'request-fields');

export const stabilityChecks = (service: Service): Check[] => {
  /** Compares the suggestions for the usual emails with those for the same emails in another request. */
  const compare = async (
    emails: readonly MlRequestItem[],
    what: string,
    change: string,
  ): Promise<Finding[]> => {
    const first = read(await service.ask(USUAL_EMAILS), USUAL_EMAILS);
    const exchange = await service.ask(emails);
    const second = read(exchange, emails);
    const changed = idsOf(USUAL_EMAILS).filter(
      (id) => !isDeepStrictEqual(first.byId.get(id), second.byId.get(id)),
    );
    if (first.findings.length > 0 || second.findings.length > 0 || changed.length === 0) return [];
    return [
      {
        clause: 'response-stable',
        severity: 'error',
        what: `${what} changes the suggestions for ${changed.slice(0, 3).join(', ')}`,
        change,
        exchange,
      },
    ];
  };

  return [
    {
      clause: 'response-stable',
      name: 'the same request gets the same suggestions',
      run: () =>
        compare(
          USUAL_EMAILS,
          'the same request again',
          'leave chance out of it: fix the seed, or the model’s mode',
        ),
    },
    {
      clause: 'response-stable',
      name: 'the order of the emails does not matter',
      run: () =>
        compare(
          [...USUAL_EMAILS.slice(1), ...USUAL_EMAILS.slice(0, 1)],
          'another order',
          'assign suggestions by id, and look at each email alone',
        ),
    },
    {
      clause: 'response-ids',
      name: 'requests at the same time are kept apart',
      async run() {
        const requests = Array.from({ length: AT_ONCE }, (_, index) =>
          manyEmails(EMAILS_OF_EACH, `request-${index}`),
        );
        const exchanges = await Promise.all(requests.map((emails) => service.ask(emails)));
        return exchanges.flatMap((exchange, index) => read(exchange, requests[index] ?? []).findings);
      },
    },
  ];
};
