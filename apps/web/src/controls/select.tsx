import type { ComponentProps } from 'react';
import shapes from '../shapes.module.css';

/** The browser's own list of choices, as a field. */
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
