import {
  findBreakingChanges,
  isNewMajorVersion,
  readPresentSchemas,
  readReleasedSchemas,
  writeReleasedSchemas,
} from './released-schemas.ts';

// Part of a release, once versions are raised: from now on, changes are compared with the present schemas.
const [released, present] = [readReleasedSchemas(), readPresentSchemas()];
const changes = isNewMajorVersion(released.version, present.version, [])
  ? []
  : findBreakingChanges(released.schemas, present.schemas);
if (changes.length > 0) throw new Error(`The contracts need a new major version:\n${changes.join('\n')}`);
writeReleasedSchemas(present);
