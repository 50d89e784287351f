import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Dialog } from '../controls/dialog.tsx';
import { RuleForm } from './rule-form.tsx';

/** Creates a rule, which is on from then on, or changes one. @param props.edited - `new`, or the rule to be changed */
export const RuleDialog = ({ edited, onClose }: { edited: Rule | 'new' | null; onClose: () => void }) => (
  <Dialog
    opened={edited !== null}
    onClose={onClose}
    title={edited === 'new' ? t`New rule` : t`Edit rule`}
    closeLabel={t`Cancel`}
  >
    {edited !== null && <RuleForm rule={edited === 'new' ? null : edited} onClose={onClose} />}
  </Dialog>
);
