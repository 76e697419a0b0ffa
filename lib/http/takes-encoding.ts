const NAMED = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
};

/** Whether an Accept-Encoding header names this encoding and does not refuse it. */
export const takesEncoding = (name: keyof typeof NAMED, header: string | string[] | null | undefined): boolean =>
  NAMED[name].test(String(header));
