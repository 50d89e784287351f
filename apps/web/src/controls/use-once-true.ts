import { useState } from 'react';

/** True from the first time that the condition holds: loads a dialog when it is needed, and lets it close gently. */
export const useOnceTrue = (condition: boolean): boolean => {
  const [wasTrue, setWasTrue] = useState(condition);
  if (condition && !wasTrue) setWasTrue(true);
  return wasTrue || condition;
};
