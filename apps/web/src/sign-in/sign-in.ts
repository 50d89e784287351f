import { toSignInNotice } from './sign-in-notices.ts';

/** Where the app's component library keeps the theme that the user chose on this device. */
const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen;

const notice = toSignInNotice(window.location.search);
const place = document.getElementById('notice');
if (notice && place) {
  place.setAttribute('role', notice.role);
  place.querySelector('span')?.replaceChildren(notice.words);
  place.hidden = false;
}
