import type { EngineType } from '#lib/engines/connectors';

const HOSTED: [names: RegExp, type: EngineType, url: string][] = [
  [/^(.+\.)?replicate\.com$/, 'replicate', 'https://api.replicate.com'],
  [/^(.+\.)?fal\.(run|ai)$/, 'fal', 'https://queue.fal.run'],
  [/^((www|platform|api)\.)?openai\.com$/, 'openai', 'https://api.openai.com'],
];

/** Returns the hosted service that a website or API address belongs to. */
export function hostedAt(url: string): { type: EngineType; url: string } | undefined {
  const found = HOSTED.find(([names]) => names.test(new URL(url).hostname));
  return found && { type: found[1], url: found[2] };
}
