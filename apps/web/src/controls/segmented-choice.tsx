import { useId } from 'react';
import classes from './segmented-choice.module.css';

/** A few choices, all visible: the browser's radio buttons, side by side. */
export const SegmentedChoice = <T extends string>(props: {
  name: string;
  value: T;
  size?: 'small';
  choices: readonly { label: string; value: T; isDisabled?: boolean }[];
  onChange: (value: T) => void;
}) => {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={props.name} className={classes.group} data-size={props.size}>
      {props.choices.map(({ label, value, isDisabled = false }) => (
        <label key={value} className={classes.choice}>
          <input
            type="radio"
            className={classes.radio}
            name={group}
            disabled={isDisabled}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          {label}
        </label>
      ))}
    </div>
  );
};
