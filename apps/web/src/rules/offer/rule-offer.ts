import type { Cleanup, CreateRuleRequest, SuggestionGroup } from '@mailsweep/contracts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { accountPreferencesQuery } from '../../account-preferences/account-preferences.ts';
import { toStorageKey } from '../../address/shown-mailbox.ts';
import { useApi } from '../../api/api-context.tsx';
import { storeText } from '../../session/store-text.ts';
import { isAbout, rulesQuery } from '../rules-query.ts';

const DECLINED_RULES = 'declined-rules';
/** The newest ones are kept. */
const MAX_KEPT = 500;

const read = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toStorageKey(DECLINED_RULES)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
};

/** Whether the user declined a rule for this sender or kind on this device. */
const isRuleDeclined = (key: string): boolean => read().includes(key);

export const declineRule = (key: string): void => {
  const others = read().filter((other) => other !== key);
  storeText(localStorage, toStorageKey(DECLINED_RULES), JSON.stringify([...others, key].slice(-MAX_KEPT)));
};

const OFFERED_AGE = 7;
const OFFER_KEY = ['rule-offer'] as const;

/** A rule that would repeat what the user did to a whole group. */
export interface RuleOffer {
  /** The id of the sender, or the classification. */
  key: string;
  /** Of the group. */
  title: string;
  request: CreateRuleRequest;
}

type OfferedGroup = Pick<SuggestionGroup, 'by' | 'key' | 'protected'> & {
  title: string;
  /** Only for a classification. */
  leastConfidence?: number;
  /** Classifications that its email was labelled with. */
  labels?: readonly string[];
};

/** The rule's action: the milder one if email was archived and deleted. */
const toClearing = ({ changedActions }: Cleanup): 'archive' | 'delete' | undefined => {
  if ((changedActions.archive ?? 0) > 0) return 'archive';
  return (changedActions.delete ?? 0) > 0 ? 'delete' : undefined;
};

/** The only classification of a labelled group. */
const toLabelled = ({ labels = [] }: OfferedGroup, { changedActions }: Cleanup): string | undefined => {
  const isLabelledOnly = Object.entries(changedActions).every(([action, count]) =>
    action === 'label' ? count > 0 : count === 0,
  );
  return isLabelledOnly && labels.length === 1 ? labels[0] : undefined;
};

/** A rule requires the confidence of the emails that the user accepted. */
const toCondition = ({ by, key, leastConfidence = 0 }: OfferedGroup): CreateRuleRequest['condition'] =>
  by === 'sender'
    ? { type: 'sender', sender: key }
    : { type: 'classification', classification: key, minConfidence: Math.floor(leastConfidence * 100) / 100 };

/** Offers a rule for a whole group, unless there is one or the user declined it. */
export const useOfferRule = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const show = useCallback(
    (offer: RuleOffer | null) => queryClient.setQueryData<RuleOffer | null>(OFFER_KEY, offer),
    [queryClient],
  );
  const withdraw = useCallback(() => void show(null), [show]);
  const offer = useCallback(
    async (group: OfferedGroup, done: Cleanup) => {
      const action = toClearing(done);
      const labelled = action ? undefined : toLabelled(group, done);
      const isOver = done.state !== 'completed' || (action ?? labelled) === undefined;
      if (isOver || group.protected || isRuleDeclined(group.key)) return;
      const known = await Promise.all([
        queryClient.fetchQuery(rulesQuery(client)),
        labelled === undefined ? undefined : findLabelName(labelled),
      ]).catch(() => undefined);
      if (known === undefined || known[0].some((rule) => isAbout(rule, group.key))) return;
      const common = { condition: toCondition(group), enabled: false };
      const request: CreateRuleRequest = action
        ? { ...common, olderThan: OFFERED_AGE, action }
        : { ...common, olderThan: 0, action: 'label', label: known[1] };
      show({ key: group.key, title: group.title, request });

      async function findLabelName(classification: string): Promise<string> {
        const { labelNames } = await queryClient.fetchQuery(accountPreferencesQuery(client));
        return labelNames[classification] ?? `Mailsweep/${classification}`;
      }
    },
    [client, queryClient, show],
  );
  return { offer, withdraw };
};

/** The offered rule, until the user leaves the screen. */
export const useRuleOffer = (): RuleOffer | null => {
  const { withdraw } = useOfferRule();
  useEffect(() => withdraw, [withdraw]);
  const { data = null } = useQuery<RuleOffer | null>({ queryKey: OFFER_KEY, queryFn: skipToken });
  return data;
};
