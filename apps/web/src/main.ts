import './styles/mantine.css';
import './styles/theme.css';
import './styles/tokens.css';
import './styles/global.css';
import './styles/forced-colors.css';
import './styles/touch.css';
import '@fontsource-variable/inter/wght.css';
import { activateChosenLanguage } from './language/activate-language.ts';
import { nextTask } from './parts/next-task.ts';
import { readApiOrigin } from './runtime-config.ts';
import { returnFromSignIn } from './session/return-from-sign-in.ts';
import { startApp } from './start-app.tsx';
import { showStartFailure } from './start-failure.ts';

new Worker(new URL('./language/load-formats.ts', import.meta.url), { type: 'module' });
const start = async () => {
  await activateChosenLanguage();
  await nextTask();
  await startApp({ apiOrigin: readApiOrigin() });
};
if (returnFromSignIn()) start().catch(showStartFailure);
