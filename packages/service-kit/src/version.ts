import manifest from '../package.json' with { type: 'json' };

/** The version of Mailsweep, the same in all packages (docs/decisions/065). */
export const VERSION: string = manifest.version;
