import { configure } from '@testing-library/react';
import { vi } from 'vitest';

/** A busy machine alone must not fail a test. Unit: milliseconds. */
const TIMEOUT_MS = 15_000;

configure({ asyncUtilTimeout: TIMEOUT_MS });
vi.setConfig({ testTimeout: 2 * TIMEOUT_MS });
