import manifest from '../package.json' with { type: 'json' };

/** The version of Mailsweep, the same in all packages (docs/RELEASING.md). */
export const VERSION: string = manifest.version;
