import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from './counts.ts';

/** Unit: milliseconds. */
const DURATION_MS = 600;

/** Runs a count to its new value; jumps if the user prefers no motion. */
export const RunningCount = ({ count }: { count: number }) => {
  const prefersNoMotion = useReducedMotion(undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState(count);
  const latest = useRef(count);
  useEffect(() => {
    const show = (value: number) => {
      latest.current = value;
      setShown(value);
    };
    const before = latest.current;
    if (prefersNoMotion || before === count) {
      show(count);
      return;
    }
    const startedMs = performance.now();
    const step = (nowMs: number) => {
      const share = Math.min(1, Math.max(0, (nowMs - startedMs) / DURATION_MS));
      show(Math.round(before + (count - before) * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [count, prefersNoMotion]);
  return formatCount(shown);
};
