import { t } from '@lingui/core/macro';
import { MAX_LABEL_LENGTH } from '@mailsweep/contracts';
import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import shapes from '../shapes.module.css';
import classes from './select.module.css';

/** The browser's own list, as a field. */
export const Select = <T extends string | number>({
  choices,
  onChange,
  ...select
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: T;
  choices: readonly { label: string; value: T }[];
  onChange: (value: T) => void;
}) => (
  <select
    {...select}
    className={shapes.textField}
    onChange={(event) => {
      const chosen = choices.find(({ value }) => String(value) === event.currentTarget.value);
      if (chosen) onChange(chosen.value);
    }}
  >
    {choices.map(({ label, value }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

export const LabelField = (props: { value: string; onChange: (name: string) => void }) => (
  <input
    className={shapes.textField}
    type="text"
    aria-label={t`Name of the label`}
    placeholder={t`Name of the label`}
    value={props.value}
    maxLength={MAX_LABEL_LENGTH}
    autoComplete="off"
    onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
  />
);

/** One line of a choice; `undefined` means: do not filter by this. */
export interface Choice<T> {
  label: string;
  value: T | undefined;
}

/** A filter chip with the browser's own list, which works with every keyboard and phone. */
export const ChoiceChip = <T,>(props: {
  name: string;
  value: T | undefined;
  choices: readonly Choice<T>[];
  onChange: (value: T | undefined) => void;
}) => {
  const chosen = Math.max(
    0,
    props.choices.findIndex((choice) => choice.value === props.value),
  );
  return (
    <span className={classes.chip} data-on={props.value !== undefined || undefined}>
      <select
        aria-label={props.name}
        value={chosen}
        onChange={(event) => props.onChange(props.choices[Number(event.currentTarget.value)]?.value)}
      >
        {props.choices.map((choice, index) => (
          <option key={choice.label} value={index}>
            {choice.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden="true" />
    </span>
  );
};
