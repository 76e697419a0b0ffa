import { setNonce } from 'get-nonce';

// The scroll lock behind dialogs adds a style element. The content security policy requires the nonce of the page for
// that, which the page's own scripts carry.
if (typeof document !== 'undefined') {
  const script = document.querySelector<HTMLScriptElement>('script[nonce]');
  if (script) setNonce(script.nonce);
}
