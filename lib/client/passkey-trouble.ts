/** Returns a message for a WebAuthn error of the browser. Errors of the server keep their own message. */
export function passkeyTrouble(error: Error): string {
  if (error.name === 'NotAllowedError') return 'It was stopped or took too long. Try again.';
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for this account.';
  if (/not supported/i.test(error.message)) return 'This browser does not support passkeys. Use another way.';
  return error.message;
}
