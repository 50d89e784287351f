import { IconChevronDown } from '@tabler/icons-react';
import classes from './choice-chip.module.css';

/** One line of a choice; `undefined` means: do not filter by this. */
export interface Choice<T> {
  label: string;
  value: T | undefined;
}

/** A filter as a chip that opens the browser's own list, which is at home on every keyboard and phone. */
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
