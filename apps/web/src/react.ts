/** React by itself: a browser runs it before the app's own code, with a breath between the two. */
export { createRoot } from 'react-dom/client';
