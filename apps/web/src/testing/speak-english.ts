import { i18n } from '@lingui/core';
import { beforeEach } from 'vitest';

// Tests read English unless they say otherwise.
const speakEnglish = () => i18n.loadAndActivate({ locale: 'en', locales: 'en-US', messages: {} });
speakEnglish();
beforeEach(speakEnglish);
