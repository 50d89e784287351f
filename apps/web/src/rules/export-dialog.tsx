import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { ExportRulesQuery, Rule, RuleDifference, RuleOmission } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import { saveFile } from '../controls/save-file.ts';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { Select } from '../controls/select.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import classes from './rule-form.module.css';
import { describeRule } from './rule-words.ts';
import { ruleFileQuery } from './rules-query.ts';

type Format = ExportRulesQuery['format'];

const OMISSIONS: Record<RuleOmission, MessageDescriptor> = {
  disabled: msg`it is off`,
  age: msg`it waits some days, and there rules act at once`,
  newest: msg`it leaves the newest emails, and there rules look at one email`,
  classification: msg`only Mailsweep knows kinds of email`,
  sender: msg`the address of a sender cannot be expressed exactly`,
  label: msg`the name of the label cannot be expressed exactly`,
  protected_sender: msg`Mailsweep leaves email of this sender alone`,
};

const DIFFERENCES: Record<RuleDifference, MessageDescriptor> = {
  arrival: msg`They act on new email as it arrives, not on what is there already.`,
  protections: msg`They do not know what Mailsweep protects: starred and important email, conversations, invitations, receipts.`,
  history: msg`What they do is not in your history, and cannot be undone here.`,
  senders: msg`They may also take email of similar senders: longer addresses in Gmail, several authors in Sieve.`,
  labels: msg`Instead of a label, a copy goes to a folder of that name.`,
};

const WAYS: Record<Format, MessageDescriptor> = {
  gmail: msg`In Gmail on a computer, open Settings, Filters and blocked addresses, Import filters.`,
  sieve: msg`Many mail servers run Sieve scripts. Look for Sieve in the settings of yours.`,
};

const Lines = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length > 0 && (
    <>
      <p className={classes.note}>{title}</p>
      <ul aria-label={title}>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </>
  );

const ExportForm = ({ rules, onClose }: { rules: readonly Rule[]; onClose: () => void }) => {
  const { client } = useApi();
  const [format, setFormat] = useState<Format>('gmail');
  const [ruleId, setRuleId] = useState('');
  const {
    data: file,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    ...ruleFileQuery(client, { format, ...(ruleId !== '' && { ruleId }) }),
    placeholderData: keepPreviousData,
  });
  const nameOf = (id: string) => {
    const rule = rules.find((one) => one.id === id);
    return rule ? describeRule(rule) : id;
  };
  return (
    <div className={classes.form}>
      <p className={classes.note}>
        {t`Rules in a file work without Mailsweep. Turn them off here once they work there.`}
      </p>
      <SegmentedChoice
        name={t`Format`}
        value={format}
        onChange={setFormat}
        choices={[
          { value: 'gmail', label: 'Gmail' },
          { value: 'sieve', label: 'Sieve' },
        ]}
      />
      <label className={classes.field}>
        <span>{t`Rules`}</span>
        <Select
          value={ruleId}
          onChange={setRuleId}
          choices={[
            { value: '', label: t`All that are on` },
            ...rules.map((rule) => ({ value: rule.id, label: describeRule(rule) })),
          ]}
        />
      </label>
      <p className={classes.note}>{i18n._(WAYS[format])}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!file && !error && <Skeleton height={160} />}
      {file && (
        <section aria-label={t`In the file`} style={{ overflowWrap: 'anywhere' }}>
          <strong>
            {plural(file.exported.length, {
              0: 'No rule can be exported.',
              one: '# rule is in the file.',
              other: '# rules are in the file.',
            })}
          </strong>
          <Lines
            title={t`Left out`}
            lines={file.leftOut.map(
              ({ ruleId: id, reasons }) =>
                `${nameOf(id)}: ${reasons.map((reason) => i18n._(OMISSIONS[reason])).join('; ')}`,
            )}
          />
          <Lines
            title={t`What differs`}
            lines={file.differences.map((difference) => i18n._(DIFFERENCES[difference]))}
          />
        </section>
      )}
      <DialogButtons onCancel={onClose} label={t`Close`}>
        <Button
          disabled={!file || isPlaceholderData || file.exported.length === 0}
          onClick={() => file && saveFile(file.fileName, file.content, file.mediaType)}
        >
          {t`Download`}
        </Button>
      </DialogButtons>
    </div>
  );
};

/** Rules as a file for Gmail or a mail server, with what it cannot express. */
export const ExportDialog = (props: { rules: readonly Rule[]; opened: boolean; onClose: () => void }) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={t`Export rules`} closeLabel={t`Close`}>
    {props.opened && <ExportForm rules={props.rules} onClose={props.onClose} />}
  </Dialog>
);
