import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import { useApi } from '../api/api-context.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { RuleCard } from './rule-card.tsx';
import { RuleForm } from './rule-form.tsx';
import { RulePreview } from './rule-preview.tsx';
import { rulesQuery } from './rules-query.ts';
import classes from './rules-screen.module.css';

const route = getRouteApi('/app/rules');

/** Says that no rule runs automatically while the watch is off, and offers to switch it on. */
const WatchNotice = () => {
  const { data: preferences } = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  if (preferences === undefined || preferences.watch.enabled) return null;
  return (
    <div className={classes.notice}>
      <p className={classes.note}>
        {t`Rules run only while Mailsweep keeps watching for new email, which is off.`}
      </p>
      <Button size="compact-md" onClick={() => update.mutate({ watch: { enabled: true } })}>
        {t`Keep watching for new email`}
      </Button>
    </div>
  );
};

/** The user's rules: what Mailsweep does automatically. The address holds which one is previewed. */
export const RulesScreen = () => {
  const { data: rules, error, refetch } = useQuery(rulesQuery(useApi().client));
  const { preview } = route.useSearch();
  const navigate = route.useNavigate();
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const closeForm = () => setEdited(null);
  const open = (id: string | undefined) => void navigate({ search: { preview: id } });
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Rules`}>
        <Button onClick={() => setEdited('new')}>{t`New rule`}</Button>
      </ScreenHeader>
      <div className={classes.body}>
        <WatchNotice />
        {error && !rules && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !rules && <Skeleton height={140} />}
        {rules?.length === 0 && (
          <EmptyState icon={<IconRepeat size={28} />} title={t`No rules yet`}>
            {t`For example, archive the email of a shop after a week. Rules never touch protected email, and everything they do can be undone.`}
          </EmptyState>
        )}
        {rules && rules.length > 0 && (
          <ul className={`${shapes.plainList} ${classes.rules}`}>
            {rules.map((rule) => (
              <RuleCard
                key={rule.id}
                rule={rule}
                onPreview={() => open(rule.id)}
                onEdit={() => setEdited(rule)}
              />
            ))}
          </ul>
        )}
      </div>
      <Dialog
        opened={edited !== null}
        onClose={closeForm}
        title={edited === 'new' ? t`New rule` : t`Edit rule`}
        closeLabel={t`Cancel`}
      >
        {edited !== null && (
          <RuleForm
            rule={edited === 'new' ? null : edited}
            onClose={closeForm}
            onToPreview={({ id }) => open(id)}
          />
        )}
      </Dialog>
      <RulePreview rule={rules?.find(({ id }) => id === preview)} onClose={() => open(undefined)} />
    </div>
  );
};
