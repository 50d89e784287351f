import { useState } from 'react';

/** Becomes true and stays true. */
export const useOnceTrue = (condition: boolean): boolean => {
  const [wasTrue, setWasTrue] = useState(condition);
  if (condition && !wasTrue) setWasTrue(true);
  return wasTrue || condition;
};
