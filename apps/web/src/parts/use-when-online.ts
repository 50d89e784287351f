import { useEffect, useRef } from 'react';

/** Calls back when the browser has a network again. */
export const useWhenOnline = (onOnline: () => void): void => {
  const latest = useRef(onOnline);
  latest.current = onOnline;
  useEffect(() => {
    const listener = () => latest.current();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, []);
};
