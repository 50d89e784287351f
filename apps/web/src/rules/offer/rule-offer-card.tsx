import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountPreferencesQuery } from '../../account-preferences/account-preferences.ts';
import { useApi } from '../../api/api-context.tsx';
import { showToast } from '../../feedback/toasts.tsx';
import { countDays } from '../rule-words.ts';
import { useRules } from '../use-rules.ts';
import { declineRule } from './declined-rules.ts';
import { type RuleOffer, useOfferRule } from './rule-offer.ts';
import classes from './rule-offer-card.module.css';

const describeOffer = ({ title, request: { condition, action, olderThan, label } }: RuleOffer): string => {
  const age = countDays(olderThan);
  if (label !== undefined)
    return condition.type === 'sender'
      ? t`Always label email from ${title} as ${label}?`
      : t`Always label “${title}” as ${label}?`;
  if (condition.type === 'sender')
    return action === 'archive'
      ? t`Always archive email from ${title} after ${{ age }}?`
      : t`Always move email from ${title} to Trash after ${{ age }}?`;
  return action === 'archive'
    ? t`Always archive “${title}” after ${{ age }}?`
    : t`Always move “${title}” to Trash after ${{ age }}?`;
};

/** Offers a rule that repeats automatically what the user has just done. */
export const RuleOfferCard = ({ offer }: { offer: RuleOffer }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { create } = useRules();
  const { withdraw } = useOfferRule();

  const sayCreated = async () => {
    const preferences = await queryClient.fetchQuery(accountPreferencesQuery(client)).catch(() => undefined);
    showToast({
      title: t`Rule created`,
      detail:
        preferences?.watch.enabled === false
          ? t`It runs once you switch on “Keep watching for new email”.`
          : t`It runs automatically. Everything it does can be undone.`,
      tone: 'done',
      action: { label: t`View rules`, run: () => void navigate({ to: '/rules' }) },
    });
  };
  return (
    <section className={classes.card} aria-label={t`Create a rule?`}>
      <div className={classes.words} role="status">
        <strong>{describeOffer(offer)}</strong>
        <span>{t`Protected email is left alone, and you can undo everything.`}</span>
      </div>
      <div className={classes.actions}>
        <Button
          size="compact-md"
          loading={create.isPending}
          onClick={() =>
            create.mutate(offer.request, {
              onSuccess: () => {
                withdraw();
                void sayCreated();
              },
            })
          }
        >
          {t`Create rule`}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={create.isPending}
          onClick={() => {
            declineRule(offer.key);
            withdraw();
          }}
        >
          {t`Not now`}
        </Button>
      </div>
    </section>
  );
};
