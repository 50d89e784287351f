/** What the app's libraries import from React, by Preact. */
export * from 'preact/compat';
/** Mantine imports it for hidden children that stay mounted, which the app has none of; Preact does not have it. */
export { default, Fragment as Activity } from 'preact/compat';
