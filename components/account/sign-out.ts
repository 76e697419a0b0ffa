import { toast } from '#components/ui/toast';
import { accountApi } from '#lib/client/account-api';

/** Ends the session of this browser, and leads to where anybody may be. */
export const signOut = () =>
  accountApi.signOut().then(
    () => location.assign('/'),
    (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
  );
