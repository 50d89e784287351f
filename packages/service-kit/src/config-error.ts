/** What is wrong with a variable, such as "is required"; never its value. */
export interface ConfigIssue {
  variable: string;
  message: string;
}

/** The configuration is missing something or holds something malformed; the message names every error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'invalid_configuration';
  readonly issues: readonly ConfigIssue[];

  constructor(message: string, issues: readonly ConfigIssue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/** The error that names all of them. */
export const toConfigError = (issues: readonly ConfigIssue[]): ConfigError => {
  const lines = issues.map(({ variable, message }) => `  ${variable}: ${message}`);
  return new ConfigError(`The configuration has ${issues.length} error(s):\n${lines.join('\n')}`, issues);
};
