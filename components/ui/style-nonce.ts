import { setNonce } from 'get-nonce';

// The scroll lock behind dialogs writes a style element. Under the content policy it needs the page's nonce, which the
// page's own scripts carry.
if (typeof document !== 'undefined') {
  const script = document.querySelector<HTMLScriptElement>('script[nonce]');
  if (script) setNonce(script.nonce);
}
