import {
  describeBreakingChange,
  findBreakingChanges,
  isNewMajorVersion,
} from '../src/openapi/compatibility/breaking-changes.ts';
import {
  readReleasedDocument,
  writeReleasedDocument,
} from '../src/openapi/compatibility/released-document.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';

// Part of a release: from now on, changes are compared with the present document.
const document = createOpenApiDocument();
const present = JSON.parse(JSON.stringify(document));
const released = readReleasedDocument();
const changes = isNewMajorVersion(released, present) ? [] : findBreakingChanges(released, present);
if (changes.length === 0) writeReleasedDocument(document);
for (const change of changes) process.stderr.write(`${describeBreakingChange(change)}\n`);
process.stdout.write(
  changes.length === 0 ? 'Written.\n' : 'Not written: the API needs a new major version.\n',
);
process.exitCode = changes.length > 0 ? 1 : 0;
