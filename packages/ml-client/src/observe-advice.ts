import { isSuggestedAction } from '@mailsweep/contracts';
import type { Logger } from '@mailsweep/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { MlClient } from './ml-client.ts';

/** Most names that are logged: a service that makes them up must not fill the log. */
const MAX_LOGGED_NAMES = 20;

/**
 * Has a client report advice: suggestions of actions that Mailsweep does not carry out. All are counted, without their
 * names, which are the service's own. The log names each action once in the life of the process, since a misspelled one
 * becomes advice, too.
 */
export const observeAdvice = (
  client: MlClient,
  { registry, logger }: { registry: Registry; logger: Pick<Logger, 'warn'> },
): MlClient => {
  const advice = new Counter({
    name: 'mailsweep_ml_advice_total',
    help: 'Suggestions of actions that are not carried out here, and are shown as advice.',
    registers: [registry],
  });
  const logged = new Set<string>();
  const report = (action: string): void => {
    advice.inc();
    if (logged.has(action) || logged.size >= MAX_LOGGED_NAMES) return;
    logged.add(action);
    logger.warn({ action }, 'the classification service suggests an action that is not known here');
  };
  return {
    async suggest(items, context) {
      const suggestions = await client.suggest(items, context);
      for (const { action } of [...suggestions.values()].flat()) {
        if (!isSuggestedAction(action)) report(action);
      }
      return suggestions;
    },
  };
};
