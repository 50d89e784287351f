/** The libraries beside React by themselves, for the same reason. */
export { QueryClient } from '@tanstack/react-query';
