import { firefoxPath } from '@mailsweep/stack/testing';
import { hasChromium } from '../web/browser.ts';
import { ensureWebAppIsBuilt } from '../web/built-web-app.ts';

/** Builds the web app once, before files that run side by side would each build it. */
export const setup = (): void => {
  if (hasChromium || firefoxPath) ensureWebAppIsBuilt();
};
