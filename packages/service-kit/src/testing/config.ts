/** What processes that tests start take over from ours: where compiled code is kept, which halves their start. */
export const readInherited = (
  { NODE_COMPILE_CACHE }: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ NODE_COMPILE_CACHE });
