declare global {
  var __webpack_nonce__: string | undefined;
}

// The scroll lock behind dialogs and menus writes a style element and asks this global for the nonce to put on it. The
// page's own scripts carry the nonce of the content policy.
if (typeof document !== 'undefined') {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
}

export {};
