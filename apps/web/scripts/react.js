/** React as the app and its libraries import it, implemented by Preact. */
export * from 'preact/compat';
/** Mantine imports `Activity` for hidden children that stay mounted. The app has none, and Preact lacks it. */
export { default, Fragment as Activity } from 'preact/compat';
