import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The brand's green, light to dark. */
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

/** The component library in our colours, type and corners; the rest of the look is in `styles/tokens.css`. */
export const theme = createTheme({
  primaryColor: 'sweep',
  colors: { sweep },
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: 'var(--font)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: { fontFamily: 'var(--font)', fontWeight: '650' },
  defaultRadius: 8,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 500, withArrow: true } },
  },
});
