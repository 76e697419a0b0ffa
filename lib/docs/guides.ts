import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorSections, messageSections } from '#lib/docs/reference';
import { env } from '#lib/env';

/** The guides by shelf, in reading order. Each is `docs/<name>.md`, and is read at `/docs/<name>`. */
export const SHELVES = {
  Start: ['first-request', 'waiting', 'uploads', 'characters', 'recipes', 'money', 'errors'],
  Connect: ['client', 'webhooks', 'agents', 'openai'],
  Operate: ['operating', 'running', 'engines', 'storage', 'threat-model'],
  More: ['contract', 'changelog'],
} as const;

/** The one whose text lives where it is also shown by package registries. */
const ELSEWHERE: Record<string, string> = { client: 'packages/client/README.md' };
/** Where parts of the reference are, which is one file there and many pages here. */
const REFERENCE: Record<string, string> = {
  '#errors': '/docs/errors#codes',
  '#messages-to-webhooks': '/docs/webhooks#messages',
};
/** The deployment in the files; readers see their own. */
const EXAMPLE_URL = 'http://localhost:3000';

/** The text of a guide, with the address of this deployment. `example` takes the place of the model in its code. */
export function readGuide(name: string, example: string): string {
  const file = join(/* turbopackIgnore: true */ process.cwd(), ELSEWHERE[name] ?? `docs/${name}.md`);
  return (
    readFileSync(file, 'utf8')
      .replace('<!-- codes -->', errorSections)
      .replace('<!-- messages -->', messageSections)
      .replaceAll(EXAMPLE_URL, env().BASE_URL)
      .replaceAll(/\bmango\b/g, example)
      // files of the repository are named here, not shown
      .replaceAll(/\[([^\]]+)\]\(\.\.\/(?:deploy\/)?[\w@.-]+(?<!\.md)\)/g, '$1')
      .replaceAll(/\]\((?:\.\.\/)*(?:[\w/-]+\/)?([\w-]+)\.md(#[\w-]+)?\)/g, (_, target: string, anchor = '') =>
        target === 'reference' ? `](${REFERENCE[anchor] ?? '/docs'})` : `](/docs/${target}${anchor})`,
      )
  );
}
