import { findPython } from '@mailsweep/stack/testing';
import { readMachine } from './local-stack.ts';

const MODULES = ['fastapi', 'httpx', 'jsonschema', 'jwt', 'pytest', 'uvicorn'];

/** The Python that can run `examples/fastapi` and its tests; null where there is none. */
export const EXAMPLE_PYTHON = findPython({ path: readMachine().PATH ?? '', modules: MODULES });

/** For the titles of tests that need it. */
export const SKIP_REASON = EXAMPLE_PYTHON === null ? ` (skipped: no python3 with ${MODULES.join(', ')})` : '';
