import { listenOnLoopback } from '@mailsweep/service-kit';
import { firefoxPath } from '@mailsweep/stack/testing';
import type { TestProject } from 'vitest/node';
import { hasChromium } from '../web/browser.ts';
import { ensureWebAppIsBuilt } from '../web/built-web-app.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import type {} from './shared-stack.ts';

/**
 * Builds the web app once, before files that run side by side would each build it, and has a stack ready for them to
 * share, which starts when the first of them asks for it.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  if (hasChromium || firefoxPath) ensureWebAppIsBuilt();
  let starting: Promise<LocalStack> | undefined;
  const door = await listenOnLoopback(async (_request, response) => {
    starting ??= startLocalStack();
    try {
      response.end(JSON.stringify(await starting));
    } catch (error) {
      response.writeHead(503).end(String(error));
    }
  }, 0);
  project.provide('sharedStack', door.url);
  return async () => {
    await door.close();
    const stack = await starting?.catch(() => undefined);
    const exitCode = await stack?.stop();
    if (stack && exitCode !== 0) throw new Error(`the shared stack ended with code ${exitCode}`);
  };
};
