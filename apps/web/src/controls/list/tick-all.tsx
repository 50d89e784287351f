import { Trans } from '@lingui/react/macro';
import shapes from '../../shapes.module.css';

/** The checkbox above a list of which everything is ticked at first. */
export const TickAll = (props: {
  isAll: boolean;
  isDisabled?: boolean;
  className: string | undefined;
  onToggle: () => void;
}) => (
  <label className={props.className}>
    <span className={shapes.tick}>
      <input
        type="checkbox"
        checked={props.isAll}
        disabled={props.isDisabled === true}
        onChange={props.onToggle}
      />
    </span>
    <Trans>Select all</Trans>
  </label>
);
