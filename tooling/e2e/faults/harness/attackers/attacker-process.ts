/** What an attack did, by name: connections opened, responses by status. */
export type AttackCounts = Record<string, number>;

/** What the process of an attack tells the test. */
export type AttackMessage = { isAtFullStrength: true } | { counts: AttackCounts };

/** Asks the process of an attack to end. */
export const STOP = 'stop';

/**
 * Runs an attack in this process until the test stops it, or ends. Its connections end with the process.
 *
 * @param attack - resolves once the attack has its full strength; counts what it does
 */
export const runAttack = async <Options>(
  attack: (options: Options, count: (name: string) => void) => Promise<void>,
): Promise<void> => {
  const counts: AttackCounts = {};
  const tell = (message: AttackMessage, then: () => void = () => undefined) => process.send?.(message, then);
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message === STOP) tell({ counts }, () => process.exit());
  });
  await attack(JSON.parse(process.argv[2] ?? '') as Options, (name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  });
  tell({ isAtFullStrength: true });
};
