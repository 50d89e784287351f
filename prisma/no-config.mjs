// Stands in for `@prisma/config`, which needs 40 MB of libraries to find that there is no configuration file.

export const defaultConfig = () => ({ loadedFromFile: null });

export const loadConfigFromFile = async () => ({
  config: defaultConfig(),
  resolvedPath: null,
  diagnostics: [],
});
