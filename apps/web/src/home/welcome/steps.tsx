import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { IconArrowBackUp, IconEye, IconListCheck, IconX } from '@tabler/icons-react';
import { savePreferences, usePreferences } from '../../preferences/preferences.ts';
import shapes from '../../shapes.module.css';
import classes from './steps.module.css';

const STEPS = [
  { name: msg`Scan`, text: msg`Mailsweep reads, and changes nothing.`, icon: IconEye },
  { name: msg`Decide`, text: msg`You accept or reject what it suggests.`, icon: IconListCheck },
  { name: msg`Undo any time`, text: msg`The history takes every change back.`, icon: IconArrowBackUp },
];

/** How cleaning works, until the user has read it. */
export const Steps = () => {
  if (!usePreferences().showsSteps) return null;
  return (
    <section className={classes.strip} aria-label={t`How it works`}>
      <ol className={`${shapes.plainList} ${classes.steps}`}>
        {STEPS.map(({ name, text, icon: Icon }) => (
          <li key={name.id} className={classes.step}>
            <Icon size={18} stroke={1.8} className={classes.icon} aria-hidden="true" />
            <span className={classes.words}>
              <strong className={classes.name}>{i18n._(name)}</strong>{' '}
              <span className={classes.text}>{i18n._(text)}</span>
            </span>
          </li>
        ))}
      </ol>
      <button
        type="button"
        className={shapes.iconButton}
        aria-label={t`Hide how it works`}
        title={t`Hide`}
        onClick={() => savePreferences({ showsSteps: false })}
      >
        <IconX size={16} aria-hidden="true" />
      </button>
    </section>
  );
};
