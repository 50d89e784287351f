import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { showToast } from '../../feedback/toasts.tsx';
import { describeLabel } from '../../suggestions/suggestion-words.tsx';
import { countDays } from '../rule-words.ts';
import { useRules } from '../use-rules.ts';
import { declineRule, type RuleOffer, useOfferRule } from './rule-offer.ts';
import classes from './rule-offer-card.module.css';

const describeOffer = ({ title, request }: RuleOffer): string => {
  const { condition, action, olderThan } = request;
  const label = request.label && describeLabel(request.label);
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

export const RuleOfferCard = ({ offer }: { offer: RuleOffer }) => {
  const navigate = useNavigate();
  const { create } = useRules();
  const { withdraw } = useOfferRule();

  const sayCreated = ({ id }: Rule) =>
    showToast({
      title: t`Rule created`,
      detail: t`It is off until you have seen what it would do.`,
      tone: 'done',
      action: {
        label: t`Preview`,
        run: () => void navigate({ to: '/rules', search: { preview: id } }),
      },
    });
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
              onSuccess: (rule) => {
                withdraw();
                sayCreated(rule);
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
