/** Whether a prompt contains the words of a style. */
export const hasStyle = (prompt: string, style: string): boolean => placeOf(prompt, style) >= 0;

/** Returns a prompt with the words of a style at its end. */
export function withStyle(prompt: string, style: string): string {
  const words = prompt.trimEnd();
  if (!words) return style;
  return words + (/[.,;:!?]$/.test(words) ? ' ' : ', ') + style;
}

/** Returns a prompt without the words of a style, and without the comma before them. */
export function withoutStyle(prompt: string, style: string): string {
  const at = placeOf(prompt, style);
  if (at < 0) return prompt;
  const before = prompt.slice(0, at);
  const after = prompt.slice(at + style.length);
  return before.trim() ? before.replace(/,?\s*$/, '') + after : after.replace(/^,?\s*/, '');
}

/** Returns where the words of a style are in a prompt, not as a part of other words; -1 if they are not. */
function placeOf(prompt: string, style: string): number {
  let at = prompt.indexOf(style);
  while (
    at >= 0 &&
    (/[\p{L}\p{M}\p{N}]$/u.test(prompt.slice(0, at)) || /^[\p{L}\p{M}\p{N}]/u.test(prompt.slice(at + style.length)))
  )
    at = prompt.indexOf(style, at + 1);
  return at;
}
