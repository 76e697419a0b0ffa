import { unsent } from '#components/generations/removals';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';

/** Ends the session of this browser, after what it has still to send, and leads to where anybody may be. */
export const signOut = () =>
  Promise.all(Array.from(unsent, send => send()))
    .then(() => studioApi.signOut())
    .then(
      () => location.assign('/'),
      (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
    );
