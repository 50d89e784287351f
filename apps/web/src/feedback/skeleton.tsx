import classes from './skeleton.module.css';

/** Of corners, unless said otherwise. Unit: pixels. */
const RADIUS = 8;

/**
 * Something grey in the place of what is still to come.
 *
 * @param props.width - as wide as there is room if left out
 * @param props.above - room above it; `below` likewise. Unit of all numbers: pixels
 */
export const Skeleton = (props: {
  height: number;
  width?: number | string;
  radius?: number;
  above?: number;
  below?: number;
  className?: string;
}) => (
  <div
    className={`${classes.skeleton} ${props.className ?? ''}`}
    style={{
      height: props.height,
      width: props.width,
      borderRadius: props.radius ?? RADIUS,
      marginTop: props.above,
      marginBottom: props.below,
    }}
  />
);

/** The same, round. Unit: pixels. */
export const RoundSkeleton = ({ size }: { size: number }) => (
  <Skeleton height={size} width={size} radius={size / 2} />
);
