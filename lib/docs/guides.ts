import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withExampleModel } from '#lib/docs/example-model';
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
const NAMES = Object.fromEntries(Object.entries(ELSEWHERE).map(([name, path]) => [path, name]));
/** Where parts of the reference are, which is one file there and many pages here. */
const REFERENCE: Record<string, string> = {
  '#errors': '/docs/errors#codes',
  '#messages-to-webhooks': '/docs/webhooks#messages',
};
/** The deployment in the files; readers see their own. */
const EXAMPLE_URL = 'http://localhost:3000';

/** The text of a guide, with the address of this deployment, and models in its code that this deployment makes. */
export function readGuide(name: string): string {
  const file = join(/* turbopackIgnore: true */ process.cwd(), ELSEWHERE[name] ?? `docs/${name}.md`);
  const text = readFileSync(file, 'utf8');
  return (
    // how engines are connected is told of the models of the files, whoever makes them by now
    (name === 'engines' ? text : withExampleModel(text, name))
      .replace('<!-- codes -->', errorSections)
      .replace('<!-- messages -->', messageSections)
      .replaceAll(EXAMPLE_URL, env().BASE_URL)
      // files of the repository are named here, not shown
      .replaceAll(/\[([^\]]+)\]\(\.\.\/(?:deploy\/)?[\w@.-]+(?<!\.md)\)/g, '$1')
      .replaceAll(/\]\((?:\.\.\/)*([\w/-]+\.md)(#[\w-]+)?\)/g, (_, path: string, anchor = '') => {
        const target = NAMES[path] ?? basename(path, '.md');
        return target === 'reference' ? `](${REFERENCE[anchor] ?? '/docs'})` : `](/docs/${target}${anchor})`;
      })
  );
}
