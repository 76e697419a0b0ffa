import { AuthPage } from '#components/auth/auth-page';
import { TextLink } from '#components/ui/text-link';

/** Reasons have names, so that no link can put words of its own on the page. */
const REASONS: Record<string, string> = {
  over: 'This question is over, or it was put in another browser.',
  invalid_client: 'The app is not known here: it never registered, or that was too long ago.',
  invalid_redirect_uri: 'The app wants its answer sent to another place than the one it registered with.',
  invalid_request: 'The app asked in a way that is not understood, or not safe.',
};

/** Why an app was not connected, and what to do. */
export function ConsentOver({ reason }: { reason: string | string[] | undefined }) {
  const known = typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return (
    <AuthPage
      title="Not connected"
      lead={`${known ?? 'The app could not be connected.'} Nothing was given to it.`}
      foot={<TextLink href="/account/api">See the apps that are connected</TextLink>}
    >
      <p>Go back to the app and start again there. Where that does not help, remove this server in the app first.</p>
    </AuthPage>
  );
}
