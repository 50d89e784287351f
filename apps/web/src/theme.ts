import { createTheme, type MantineColorsTuple } from '@mantine/core';

const sweep: MantineColorsTuple = [
  '#e8f7f4',
  '#d2eee8',
  '#a5dfd4',
  '#74cebf',
  '#4cbfad',
  '#2aa997',
  '#188c7d',
  '#0f766e',
  '#0b625c',
  '#084d48',
];

/** From the palest text to the deepest ground. */
const dark: MantineColorsTuple = [
  '#e8eeeb',
  '#c3ceca',
  '#a9b7b1',
  '#7d8c85',
  '#4a5953',
  '#34423c',
  '#19211e',
  '#19211e',
  '#1a2320',
  '#0c100f',
];

/** Our colours, type and corners; the rest is in `styles/tokens.css`. */
export const theme = createTheme({
  primaryColor: 'sweep',
  colors: { sweep, dark },
  primaryShade: 7,
  fontFamily: 'var(--font)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: { fontFamily: 'var(--font)', fontWeight: '650' },
  defaultRadius: 8,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Closes at once: a fading dialog would still take keys such as `Z` for undo.
    Modal: { defaultProps: { transitionProps: { exitDuration: 0 } } },
  },
});
