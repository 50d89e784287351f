import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ListSuggestionsResponse, Suggestion } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countEmails, formatCount } from '../email/counts.ts';
import { dropSuggestions } from '../queries/suggestions-query.ts';
import shapes from '../shapes.module.css';
import { useConfirm } from '../suggestions/confirming/use-confirm.ts';
import classes from './first-clean.module.css';

/** The suggestion that accepting carries out: the surest one, as for the API. */
const toSurest = (suggestions: readonly Suggestion[]): Suggestion | undefined =>
  suggestions.toSorted((one, other) => other.confidence_score - one.confidence_score)[0];

/** The ids of the emails that accepting archives, and of those that it moves to the trash. */
const toClearable = ({ emails }: ListSuggestionsResponse) => {
  const idsOf = (action: string) =>
    emails.filter(({ suggestions }) => toSurest(suggestions)?.action === action).map(({ id }) => id);
  return { archived: idsOf('archive'), trashed: idsOf('delete') };
};

const describe = (archived: number, trashed: number): string => {
  const emails = countEmails(archived + trashed);
  if (trashed === 0) return t`${{ emails }} can go to the archive`;
  if (archived === 0) return t`${{ emails }} can go to the trash`;
  return t`${{ emails }} can go: ${{ archived: formatCount(archived) }} to the archive, ${{ trashed: formatCount(trashed) }} to the trash`;
};

/** What can go of the newest emails: exactly what it counts goes with one click. Nothing when nothing can. */
export const FirstClean = ({ newest }: { newest: ListSuggestionsResponse }) => {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const { archived, trashed } = toClearable(newest);
  const emailIds = [...archived, ...trashed];
  if (emailIds.length === 0) return null;
  const clean = () => {
    confirm('accept', { emailIds });
    dropSuggestions(queryClient, new Set(emailIds));
  };
  return (
    <section className={`${shapes.card} ${classes.card}`} aria-labelledby="first-clean-title">
      <h2 id="first-clean-title" className={classes.title}>
        {describe(archived.length, trashed.length)}
      </h2>
      <p className={classes.note}>
        {plural(newest.emails.length, {
          one: 'Among your newest # email.',
          other: 'Among your newest # emails.',
        })}{' '}
        <Trans>What you protected, starred or answered stays. You can undo it.</Trans>
      </p>
      <div className={classes.actions}>
        <Button size="md" onClick={clean}>
          <Trans>Clean</Trans>
        </Button>
        <Button
          size="md"
          variant="default"
          renderRoot={(props) => <Link {...props} to="/suggestions" search={{ show: 'everything' }} />}
        >
          <Trans>Look first</Trans>
        </Button>
      </div>
    </section>
  );
};
