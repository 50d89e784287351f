export type Status = 'ok' | 'warning' | 'error' | 'skipped';

export interface Finding {
  status: Status;
  /** What is so; for `skipped`, why nothing was checked. */
  message: string;
  /** What comes of it. */
  why?: string;
  fix?: string;
  variable?: string;
}

export type Findings = Finding | Finding[];

/** What is wrong, what comes of it and what to do; the variable where a line of the configuration has to change. */
type Fault = Required<Pick<Finding, 'message' | 'why' | 'fix'>> & Pick<Finding, 'variable'>;

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const skipped = (message: string): Finding => ({ status: 'skipped', message });
export const warning = (fault: Fault): Finding => ({ status: 'warning', ...fault });
export const error = (fault: Fault): Finding => ({ status: 'error', ...fault });

/** The faults, or that all is well where there are none. */
export const faultsOr = (message: string, ...faults: (Findings | false | undefined)[]): Finding[] => {
  const found = faults.flat().filter((fault) => fault !== false && fault !== undefined);
  return found.length > 0 ? found : [ok(message)];
};
