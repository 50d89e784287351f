import { watch } from 'node:fs';

/** Changes within this time are one: editors and git write several files. Milliseconds. */
const ONE_CHANGE_MS = 200;
const NOT_RUN = /\.test\.tsx?$|(^|[\\/])testing[\\/]/;

/** Calls back after sources in the folders have changed, but for tests. The process can end meanwhile. */
export const watchSources = (folders: readonly string[], onChange: () => void): void => {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders) {
    watch(folder, { recursive: true, persistent: false }, (_event, file) => {
      if (file === null || !file.endsWith('.ts') || NOT_RUN.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, ONE_CHANGE_MS);
    });
  }
};
