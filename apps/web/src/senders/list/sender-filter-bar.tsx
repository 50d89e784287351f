import { t } from '@lingui/core/macro';
import { MAX_SEARCH_LENGTH } from '@mailsweep/contracts';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { type Choice, ChoiceChip } from '../../controls/choice-chip.tsx';
import barClasses from '../../inbox/filters/filter-bar.module.css';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
import shapes from '../../shapes.module.css';
import classes from './sender-filter-bar.module.css';
import type { SenderFilters } from './sender-filters.ts';

const toSortChoices = (): readonly Choice<SenderFilters['sort'] & string>[] => [
  { label: t`Most emails`, value: undefined },
  { label: t`Most unread`, value: 'unread' },
  { label: t`Largest`, value: 'bytes' },
  { label: t`Last seen`, value: 'lastSeen' },
  { label: t`Most suggested`, value: 'suggested' },
];

/** Which senders to show, and on phones, where the columns have no names, in which order. */
export const SenderFilterBar = (props: {
  filters: SenderFilters;
  onChange: (change: Partial<SenderFilters>) => void;
}) => {
  const { filters, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: ['/'], label: t`Find a sender`, group: 'Move', run: () => input.current?.select() }]);
  return (
    <search className={`${shapes.filterBar} ${barClasses.bar}`}>
      <div className={barClasses.find}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          value={filters.find ?? ''}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(event) => onChange({ find: event.currentTarget.value || undefined })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
          placeholder={t`Find name or address`}
          aria-label={t`Find a sender by name or address`}
        />
        <span className={barClasses.slash} aria-hidden="true">
          /
        </span>
      </div>
      <span className={classes.order}>
        <ChoiceChip
          name={t`Order`}
          value={filters.sort}
          choices={toSortChoices()}
          onChange={(sort) => onChange({ sort })}
        />
      </span>
    </search>
  );
};
