import {
  type Cleanup,
  type CleanupPlan,
  type CreateCleanupRequest,
  DEFAULT_PREFERENCES,
  type Preferences,
  type Rule,
  type SuggestionGroup,
} from '@mailsweep/contracts';
import { notifications } from '@mantine/notifications';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { useRuleOffer } from '../../rules/offer/rule-offer.ts';
import { RuleOfferCard } from '../../rules/offer/rule-offer-card.tsx';
import { toSuggestedEmails } from '../../suggestions/suggested-email.ts';
import { renderAtRoute, toProblem } from '../../testing/render-at-route.tsx';
import { sampleCleanup, sampleKept, sampleRule, sampleSuggestionGroup } from '../../testing/sample-email.ts';
import { toQueueGroup } from '../queue/queue-group.ts';
import { type Review, useReview } from './use-review.ts';

const QUESTION = 'Always archive email from Garden & Home after 7 days?';

describe('after a whole group was accepted', () => {
  it('a rule for its sender is offered, and made by one press', async () => {
    const { created, address } = renderReview();
    await accept();
    expect(await screen.findByText(QUESTION)).toBeTruthy();
    expect(created).toEqual([]);

    await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
    expect(await screen.findByText('Rule created')).toBeTruthy();
    expect(screen.getByText('It is off until you have seen what it would do.')).toBeTruthy();
    expect(created).toEqual([
      { condition: { type: 'sender', sender: GARDEN.key }, olderThan: 7, action: 'archive', enabled: false },
    ]);
    expect(screen.queryByText(QUESTION)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
    await waitFor(() => expect(address()).toBe(`/rules?preview=${sampleRule().id}`));
  });

  it('a rule for its classification is as sure as what was accepted', async () => {
    const group = { by: 'classification', key: 'bulk', from: null, classification: 'bulk' } as const;
    const { created } = renderReview({ group: { ...group, leastConfidence: 0.876 } });
    await accept();
    await screen.findByText('Always archive “Bulk email” after 7 days?');
    await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
    await waitFor(() =>
      expect(created).toMatchObject([
        { condition: { type: 'classification', classification: 'bulk', minConfidence: 0.87 } },
      ]),
    );
  });

  it('a rule that labels is offered where all of it was labelled, under the name that the user chose', async () => {
    const labelled = { group: { labels: ['receipt'] }, done: LABELLED };
    const { created } = renderReview(labelled);
    await accept();
    await screen.findByText('Always label email from Garden & Home as Receipts?');
    cleanup();
    notifications.clean();

    const named = renderReview({ ...labelled, labelNames: { receipt: 'Belege' } });
    await accept();
    await screen.findByText('Always label email from Garden & Home as Belege?');
    await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
    await waitFor(() =>
      expect(named.created).toMatchObject([{ olderThan: 0, action: 'label', label: 'Belege' }]),
    );
    expect(created).toEqual([]);
  });

  it('“Not now” is remembered for its sender', async () => {
    renderReview();
    await accept();
    await userEvent.click(await screen.findByRole('button', { name: 'Not now' }));
    expect(screen.queryByText(QUESTION)).toBeNull();
    cleanup();
    notifications.clean();

    const { offered } = renderReview();
    await acceptBoth();
    expect(offered).toEqual(['Shop']);
  });

  it('stays on offer when the rule could not be made', async () => {
    renderReview({ onCreate: () => toProblem(503, 'service_unavailable') });
    await accept();
    await userEvent.click(await screen.findByRole('button', { name: 'Create rule' }));
    expect(await screen.findByText(/^Nothing was changed/)).toBeTruthy();
    expect(screen.getByText(QUESTION)).toBeTruthy();
  });

  it('the offer ends when the cleanup is undone', async () => {
    renderReview();
    await accept();
    await screen.findByText(QUESTION);
    await userEvent.click(screen.getByRole('button', { name: /^Undo/ }));
    await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
  });
});

describe('no rule is offered', () => {
  it.each<[string, Options]>([
    [
      'there is one',
      { rules: [sampleRule({ condition: { type: 'sender', sender: GARDEN.key, from: '' } })] },
    ],
    ['its sender is protected', { group: { protected: true } }],
    ['its email was labelled in two ways', { group: { labels: ['receipt', 'travel'] }, done: LABELLED }],
    ['its labels are not known', { group: { labels: [] }, done: LABELLED }],
    ['the cleanup was cancelled', { done: { state: 'cancelled' } }],
  ])('where %s', async (_why, options) => {
    const { offered } = renderReview(options);
    await acceptBoth();
    expect(offered).toEqual(['Shop']);
  });

  it('for a part of a group', async () => {
    const { offered, untick, leave } = renderReview();
    await screen.findByRole('button', { name: /^Accept/ });
    untick();
    await accept();
    await screen.findByText('2 emails archived');
    leave();
    await acceptShop();
    expect(offered).toEqual(['Shop']);
  });
});

const GARDEN = sampleSuggestionGroup();
const SHOP = sampleSuggestionGroup({ key: 'b'.repeat(64), from: 'Shop <shop@example.com>' });
const ARCHIVE = { action: 'archive', classification: 'bulk', confidence_score: 0.95 } as const;
const [email] = toSuggestedEmails([sampleKept(1, { suggestions: [ARCHIVE] })]);

const PREFERENCES: Preferences = DEFAULT_PREFERENCES;
const LABELLED = { changedActions: { label: 3 } };

/** Differences of the first group, its cleanup, and existing rules. */
interface Options {
  group?: Partial<SuggestionGroup>;
  done?: Partial<Cleanup>;
  rules?: Rule[];
  labelNames?: Preferences['labelNames'];
  onCreate?: () => Response;
}

/** The groups with an API that archives whatever is accepted. */
const renderReview = ({ group, done, rules = [], labelNames = {}, onCreate }: Options = {}) => {
  const created: unknown[] = [];
  const offered: string[] = [];
  const first = { ...GARDEN, ...group };
  const queue = { groups: [first, SHOP].map(toQueueGroup), emails: 6, actions: { archive: 6 } };
  const plans: CleanupPlan[] = [];
  let review: Review | undefined;
  const Groups = () => {
    review = useReview({ queue, view: { by: first.by, minAcceptance: 0 }, hold: () => undefined });
    const offer = useRuleOffer();
    if (offer && !offered.includes(offer.title)) offered.push(offer.title);
    return (
      <>
        <button type="button" onClick={review.acceptGroup}>
          {`Accept ${review.active?.title}`}
        </button>
        {offer && <RuleOfferCard offer={offer} />}
      </>
    );
  };
  const drawn = renderAtRoute(Groups, (url, method, body) => {
    const { pathname } = url;
    if (pathname.endsWith('/rules') && method === 'POST') {
      if (onCreate) return onCreate();
      created.push(body);
      return sampleRule();
    }
    if (pathname.endsWith('/rules')) return toPage(rules);
    if (pathname.endsWith('/preferences')) return { ...PREFERENCES, labelNames };
    if (pathname.endsWith('/run')) {
      const plan = plans.find(({ id }) => pathname.includes(id));
      const changes = plan === plans[0] ? done : {};
      const changed = plan?.total;
      return { ...plan, state: 'completed', changed, changedActions: { archive: changed }, ...changes };
    }
    if (pathname.endsWith('/cleanups') && method === 'POST') {
      const id = `01900000-0000-7000-8000-00000000000${plans.length + 1}`;
      const { selection } = body as CreateCleanupRequest;
      plans.push(sampleCleanup({ id, action: 'accept', total: 3 - selection.except.length }));
      return plans.at(-1);
    }
    return toPage([]);
  });
  return {
    ...drawn,
    created,
    offered,
    untick: () => act(() => email && review?.toggleEmail(email)),
    leave: () => act(() => review?.activate(SHOP.key)),
  };
};

const toPage = (data: unknown[]) => ({ total: data.length, page: 1, perPage: 100, data });
const accept = async () =>
  userEvent.click(await screen.findByRole('button', { name: /^Accept Garden|^Accept Bulk/ }));
/** The rule for the second group is offered after the first one's work is over. */
const acceptBoth = async () => {
  await accept();
  await screen.findByText(/^\d emails (archived|labelled)/);
  await acceptShop();
};
const acceptShop = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Accept Shop' }));
  await screen.findByText('Always archive email from Shop after 7 days?');
};
