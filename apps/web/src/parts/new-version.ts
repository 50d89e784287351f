/**
 * Whether the server has another build than the one that runs here: its page then starts with another script, as the
 * names of scripts are made from their content.
 */
export const isNewVersionOut = async (): Promise<boolean> => {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  if (!script) return false;
  try {
    const response = await fetch('/index.html', { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
};
