import { type CheckResult, compare } from '../check.ts';
import { type GmailClient, isSuccess, reasonOf } from '../gmail-client.ts';

/** Whether Gmail takes calls at all. Without that nothing else can be looked at. */
export const checkAccess = async (gmail: GmailClient): Promise<CheckResult & { isOpen: boolean }> => {
  const response = await gmail.call({ method: 'GET', path: 'profile' });
  const observed = isSuccess(response) ? '200' : `${response.status} ${reasonOf(response)}`.trim();
  const finding = compare({
    id: 'api-enabled',
    title: 'The Gmail API takes calls',
    expected: '200',
    observed,
  });
  return { findings: [finding], isOpen: isSuccess(response) };
};
