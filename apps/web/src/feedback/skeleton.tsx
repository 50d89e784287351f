import { Trans } from '@lingui/react/macro';
import classes from './skeleton.module.css';

const RADIUS = 8;

/**
 * Grey placeholder while loading.
 *
 * @param props.width - by default all the room
 * @param props.above - space above; `below` likewise. All in pixels
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

/** Unit: pixels. */
export const RoundSkeleton = ({ size }: { size: number }) => (
  <Skeleton height={size} width={size} radius={size / 2} />
);

/** Appears when loading takes unusually long, for example at the provider's limits. */
export const SlowNotice = () => (
  <p className={classes.notice}>
    <Trans>This takes longer than usual. Still waiting…</Trans>
  </p>
);
