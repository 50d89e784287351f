import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Dialog } from '../controls/dialog.tsx';
import { RuleForm } from './rule-form.tsx';

/**
 * Creates a rule, which is off until the user turns it on, or changes one.
 *
 * @param props.edited - `new`, or the rule to be changed
 */
export const RuleDialog = ({
  edited,
  ...props
}: {
  edited: Rule | 'new' | null;
  onClose: () => void;
  onCreated: (rule: Rule) => void;
}) => (
  <Dialog
    opened={edited !== null}
    onClose={props.onClose}
    title={edited === 'new' ? t`New rule` : t`Edit rule`}
    closeLabel={t`Cancel`}
  >
    {edited !== null && <RuleForm rule={edited === 'new' ? null : edited} {...props} />}
  </Dialog>
);
