/** The checkbox of a row that takes keys and clicks of its own; with Shift it means the range to this row. */
export const RowTick = (props: {
  name: string;
  isSelected: boolean;
  className: string | undefined;
  onToggle: (isRange: boolean) => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox inside takes the keys
  <label className={props.className} onClick={(event) => event.stopPropagation()}>
    <input
      type="checkbox"
      tabIndex={-1}
      checked={props.isSelected}
      onChange={(event) => props.onToggle((event.nativeEvent as unknown as globalThis.MouseEvent).shiftKey)}
      aria-label={`Select ${props.name}`}
    />
  </label>
);
