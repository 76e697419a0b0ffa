/** What went wrong between the browser and a passkey, in words. Refusals of the server speak for themselves. */
export function passkeyTrouble(error: Error): string {
  if (error.name === 'NotAllowedError') return 'The browser was stopped, or took too long. Try again.';
  if (error.name === 'InvalidStateError') return 'This device has a passkey for this account already.';
  if (/not supported/i.test(error.message)) return 'This browser has no passkeys. Use another way.';
  return error.message;
}
