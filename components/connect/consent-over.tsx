import { AuthPage } from '#components/auth/auth-page';
import { TextLink } from '#components/ui/text-link';

/** Texts by reason code, so that a link cannot put arbitrary text on the page. */
const REASONS: Record<string, string> = {
  over: 'This request has ended, or it was opened in another browser.',
  invalid_client: 'The app is not registered here, or registered too long ago.',
  invalid_redirect_uri: 'The app gave a different return address from the one it registered.',
  invalid_request: 'The request of the app is not valid, or not safe.',
};

/** Page that says why an app was not connected, and what to do. */
export function ConsentOver({ reason }: { reason: string | string[] | undefined }) {
  const known = typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return (
    <AuthPage
      title="Not connected"
      lead={`${known ?? 'The app could not be connected.'} It got no access.`}
      foot={<TextLink href="/account/api">See the apps that are connected</TextLink>}
    >
      <p>Go back to the app and start again. If that does not help, remove this server in the app first.</p>
    </AuthPage>
  );
}
