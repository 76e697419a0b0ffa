/** Whether a prompt has the words of a style. */
export const hasStyle = (prompt: string, style: string): boolean => prompt.includes(style);

/** A prompt with the words of a style at its end. */
export function withStyle(prompt: string, style: string): string {
  const words = prompt.trimEnd();
  if (!words) return style;
  return words + (/[.,;:!?]$/.test(words) ? ' ' : ', ') + style;
}

/** A prompt without the words of a style, and without the comma that led to them. */
export function withoutStyle(prompt: string, style: string): string {
  const at = prompt.indexOf(style);
  if (at < 0) return prompt;
  const before = prompt.slice(0, at);
  const after = prompt.slice(at + style.length);
  return before.trim() ? before.replace(/,?\s*$/, '') + after : after.replace(/^,?\s*/, '');
}
