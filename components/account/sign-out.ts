import { unsent } from '#components/generations/removals';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';

/** Sends pending removals, ends the session of this browser, and goes to the public home page. */
export const signOut = () =>
  Promise.all(Array.from(unsent, send => send()))
    .then(() => studioApi.signOut())
    .then(
      () => location.assign('/'),
      (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
    );
