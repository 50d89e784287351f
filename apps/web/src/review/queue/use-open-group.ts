import { getRouteApi, useLocation } from '@tanstack/react-router';

const route = getRouteApi('/app/suggestions');

/**
 * The group that lies over the list on narrow screens. Its key is in the part of the address that browsers send to no
 * server.
 */
export const useOpenGroup = () => {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  const openKey = hash === '' ? undefined : hash;
  return {
    openKey,
    /** The way back leads from a group to the list, not through every group looked at. */
    setOpenKey: (key: string | undefined) =>
      void navigate({
        search: ({ email: _email, ...filters }) => filters,
        hash: key ?? '',
        hashScrollIntoView: false,
        replace: openKey !== undefined,
      }),
  };
};
